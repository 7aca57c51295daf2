/* Devices: what OpenCL says of them, as plain data that travels between processes; and how to open one. */
#ifndef MU_HARNESS_DEVICE_DEVICE_H
#define MU_HARNESS_DEVICE_DEVICE_H

#include "base/error.h"
#include "variants/launch/abilities.h"
#include "variants/launch/opencl.h"
#include "variants/variant.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define MU_NAME_BYTES 192
#define MU_CHIP_BYTES 96
#define MU_UUID_BYTES 48
#define MU_MOST_UNITS 65536 /* an order of magnitude above those of any device */

struct mu_device_info {
    uint32_t index;               /* in `muster devices`, counted over all platforms */
    uint32_t platform_index;      /* as clGetPlatformIDs orders them … */
    uint32_t device_index;        /* … and clGetDeviceIDs within the platform */
    char icd[MU_NAME_BYTES];      /* the vendor file to restrict the loader to; empty for all of them */
    char chip[MU_CHIP_BYTES];     /* short name: mu_chip_name */
    char uuid[MU_UUID_BYTES];     /* the device's own name among equal ones: mu_device_identify */
    char tag[MU_UUID_BYTES];      /* for file names, where this host has several devices of the chip; else empty */
    char platform[MU_NAME_BYTES]; /* CL_PLATFORM_NAME */
    char platform_version[MU_NAME_BYTES];
    char name[MU_NAME_BYTES]; /* the model: mu_device_model */
    char vendor[MU_NAME_BYTES];
    char version[MU_NAME_BYTES]; /* CL_DEVICE_VERSION */
    char driver[MU_NAME_BYTES];  /* CL_DRIVER_VERSION */
    char c_standard[8];          /* what kernels are compiled as: "CL1.2", "CL2.0", "CL3.0" */
    bool cpu;                    /* workgroups run on threads of the host */
    bool simulator;              /* claims to be a CPU and a GPU at once */
    uint32_t compute_units;
    uint32_t resident; /* units that defaults go by, as the self-test found or a user says; 0: as told */
    uint32_t max_workgroup;
    uint64_t local_bytes, global_bytes, max_allocation_bytes;
    uint32_t watchdog_ms;         /* after which the system ends a kernel; 0: no such time is known */
    char watchdog[MU_NAME_BYTES]; /* where that is from (host/watchdog.h) */
    uint64_t timer_ns;            /* resolution of event times; 0 where they say nothing, or there are none */
    bool has_double;
    bool kernel_clock;                  /* reports cl_khr_kernel_clock, of device scope */
    bool split_barrier;                 /* reports cl_intel_split_work_group_barrier */
    uint32_t native;                    /* its runtime's own barrier (variants/promise.h); 0: it has none */
    bool available[3];                  /* which of enum mu_atomics the device can do */
    bool ptx_fences;                    /* Nvidia before sm_70 */
    enum mu_atomics atomics;            /* the path that applies … */
    char atomics_reason[MU_NAME_BYTES]; /* … and why */
    uint32_t subgroup_paths;            /* those that it reports: bit 1 << enum mu_subgroups for each */
    int yield; /* enum mu_yield, or -1 while the self-test has not found out what a CPU device can do */
};

/* The reason why a simulator is for multi-kernel only. Oclgrind claims to have one compute unit, runs as many
 * workgroups at once as it was given threads, and knows no order between those of one launch. */
#define MU_SIMULATOR_REASON                                                                                            \
    "multi-kernel only: a simulator (it claims to be a CPU and a GPU at once), which promises to run workgroups one "  \
    "after the other"

/* Fills info from the device; index and icd are the caller's. MU_DEVICE. */
int mu_device_describe(cl_platform_id platform, cl_device_id device, struct mu_device_info *info, struct mu_error *err);

/* Fills info->uuid: 32 hexadecimal digits (cl_khr_device_uuid), else "pci:0000:3b:00.0" (cl_khr_pci_bus_info), else
 * "index:N", the device's place among those of its platform. info->device_index must be there. */
void mu_device_identify(cl_device_id device, struct mu_device_info *info);

/* Returns true if `wanted` is the device's uuid or its beginning, of four characters at least, in any case. Dashes, and
 * a "GPU-" before it, as vendors' tools print them, do not count. */
bool mu_device_has_uuid(const struct mu_device_info *info, const char *wanted);

/* Gives devices of one chip, or of one short name, on one host a tag each, where there are several; and makes the uuids
 * of equal ones differ. */
void mu_device_tell_apart(struct mu_device_info *infos, uint32_t count);

/* Returns what a record says of the device; NULL: out of memory. A device's identity is its vendor, model, platform and
 * number of compute units. `units` are there if a user says other ones. */
json_t *mu_device_record(const struct mu_device_info *info);

/* Returns true if the device can be asked for the barrier: for each but a runtime's own, or if its runtime has one. */
bool mu_device_has_barrier(const struct mu_device_info *info, enum mu_barrier barrier);

/* Returns true if two devices have the same identity. */
bool mu_device_is_alike(const struct mu_device_info *a, const struct mu_device_info *b);

/* Returns true if an object, such as mu_device_record's, names this identity. */
bool mu_device_is_named(const struct mu_device_info *info, const json_t *object);

/* Returns true if a record is of a device of this identity, with the units that a user says of this one. */
bool mu_device_is_of(const struct mu_device_info *info, const json_t *record);

/* Returns the part of a core that each compute unit of a CPU device has. It is below 1 where there are fewer cores than
 * workers: a spin then takes so much longer by the clock, and what it waits for, too. Other devices have 1. */
double mu_device_core_share(const struct mu_device_info *info);

/* Convert a device to JSON and back. NULL or MU_NO_MEMORY; MU_DEVICE for a JSON object that is not a device's. */
json_t *mu_device_to_json(const struct mu_device_info *info);
int mu_device_from_json(const json_t *object, struct mu_device_info *info, struct mu_error *err);

/* The largest numbers of platforms, and of devices of a platform. What a loader or driver tells beyond them is cut
 * off. */
#define MU_MAX_PLATFORMS 64
#define MU_MAX_DEVICES   64

/* Count platforms and devices, as the loader and the driver tell, name a platform, and describe a device. For use in a
 * child process. MU_DEVICE, also for an impossible value. */
int mu_platform_count(uint32_t *count, struct mu_error *err);
int mu_platform_name(uint32_t platform_index, char name[MU_NAME_BYTES], struct mu_error *err);
int mu_platform_device_count(uint32_t platform_index, uint32_t *count, struct mu_error *err);
int mu_platform_device(uint32_t platform_index, uint32_t device_index, struct mu_device_info *info,
                       struct mu_error *err);

/* Opens the device that info describes: context and queue, with event times if asked for. MU_DEVICE, also when another
 * device is in its place. mu_device_close accepts a zeroed target. */
int mu_device_open(const struct mu_device_info *info, bool event_times, struct mu_target *target, struct mu_error *err);
void mu_device_close(struct mu_target *target);

#endif
