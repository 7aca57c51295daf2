// A C++ host with the OpenCL C++ bindings (Debian package opencl-clhpp-headers): every value becomes the mean of its
// neighbours, a hundred times, in one launch. What the library gives is plain C; a unique_ptr owns it.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION  120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <muster/team.h>

#include <cmath>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

const char source[] = R"(
MU_KERNEL void average(__global float *value, const uint n, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    for (uint round = 0; round < 100; round++) {
        __global const float *from = value + round % 2 * n;
        __global float *to = value + (round + 1) % 2 * n;
        MU_EXTENT(n - 2);
        FOR_EACH (i) to[i + 1] = (from[i] + from[i + 2]) / 2;
        mu_barrier(T);
    }
    MU_TEAM_END;
}
)";

// An error of the library, with its message.
void check(int status, const mu_team_error &error)
{
    if (status != MU_TEAM_OK) throw std::runtime_error(error.message);
}

using Team = std::unique_ptr<mu_team, decltype(&mu_team_free)>;

Team make_team(const cl::CommandQueue &queue)
{
    mu_team_settings settings = {};
    settings.yield = 1;
    mu_team *made = nullptr;
    mu_team_error error;
    check(mu_team_new(queue(), &settings, &made, &error), error);
    Team team(made, &mu_team_free);
    check(mu_team_trust(made, &error), error);
    return team;
}

cl::Kernel build(const cl::Context &context, const Team &team)
{
    cl::Program program(context, std::vector<std::string>{mu_team_source(), source});
    try {
        program.build(mu_team_options(team.get()));
    } catch (const cl::BuildError &failure) {
        throw std::runtime_error(failure.getBuildLog().front().second);
    }
    return cl::Kernel(program, "average");
}

// Both halves of the values hold the same at the start, so that the two ends, which nobody writes, are in both.
std::vector<float> start(std::size_t n)
{
    std::vector<float> values(2 * n);
    for (std::size_t i = 0; i < 2 * n; i++) values[i] = static_cast<float>(i % n * i % n % 97);
    return values;
}

void run_on_host(std::vector<float> &values, std::size_t n)
{
    for (std::size_t round = 0; round < 100; round++) {
        const std::size_t from = round % 2 * n, to = (round + 1) % 2 * n;
        for (std::size_t i = 0; i + 2 < n; i++) values[to + i + 1] = (values[from + i] + values[from + i + 2]) / 2;
    }
}

void run()
{
    const std::size_t n = 10000;
    cl::Context context(CL_DEVICE_TYPE_ALL);
    cl::CommandQueue queue(context, context.getInfo<CL_CONTEXT_DEVICES>().front());
    const Team team = make_team(queue);
    cl::Kernel kernel = build(context, team);

    std::vector<float> values = start(n), expected = values;
    cl::Buffer buffer(context, values.begin(), values.end(), false);
    kernel.setArg(0, buffer);
    kernel.setArg(1, static_cast<cl_uint>(n));
    mu_team_report report;
    mu_team_error error;
    check(mu_team_run(team.get(), kernel(), 2, &report, &error), error);

    cl::copy(queue, buffer, values.begin(), values.end());
    run_on_host(expected, n);
    for (std::size_t i = 0; i < values.size(); i++)
        if (std::fabs(values[i] - expected[i]) > 1e-4f) throw std::runtime_error("that is not what the host computes");
    std::cout << report.team << " workgroups, " << report.barriers << " barriers\n";
}

} // namespace

int main()
{
    try {
        run();
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
    return 0;
}
