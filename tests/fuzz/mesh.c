/* Fuzz target: the readers of meshes. The input is the .ele file, the .node file and, if there is more, the .poly file,
 * each but the last followed by a form feed. */
#include "base/limits.h"
#include "inputs/mesh/check.h"
#include "inputs/mesh/text.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

fuzz_run fuzz_mesh;

/* Cuts the next part off; false if there is none. The bytes are the caller's to free. */
static bool take_part(const uint8_t **data, const uint8_t *end, const char *path, struct mu_source *part)
{
    if (*data == NULL) return false;
    const uint8_t *feed = memchr(*data, '\f', (size_t)(end - *data));
    const size_t size = (size_t)((feed != NULL ? feed : end) - *data);
    *part = (struct mu_source){.path = path, .bytes = malloc(size + 1), .size = size};
    if (part->bytes == NULL) return false;
    memcpy(part->bytes, *data, size);
    part->bytes[size] = 0;
    *data = feed != NULL ? feed + 1 : NULL;
    return true;
}

void fuzz_mesh(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_source ele = {0}, node = {0}, poly = {0};
    struct mu_mesh *mesh = NULL;
    const uint8_t *const end = data + size;
    if (size == 0) return;
    mu_memory_limit_set(UINT64_C(1) << 22);
    const bool has_ele = take_part(&data, end, "fuzz.ele", &ele), has_node = take_part(&data, end, "fuzz.node", &node);
    const bool has_poly = take_part(&data, end, "fuzz.poly", &poly);
    if (has_ele && has_node &&
        fuzz_succeeded(mu_mesh_text_read(&node, &ele, has_poly ? &poly : NULL, &mesh, &err), &err))
        fuzz_require(mu_mesh_check(mesh, mesh, 0, &err) != MU_WRONG, "what was read is a mesh");
    mu_mesh_free(mesh);
    free(ele.bytes);
    free(node.bytes);
    free(poly.bytes);
}
