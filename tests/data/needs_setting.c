/* Makes any driver one that works with one setting only: preloaded into a program, it ends every process that makes a
 * kernel without POCL_WORK_GROUP_METHOD=cbs in its environment. With the name of a kernel in HANGS_AT it is one that
 * works with any setting, but never comes to the end of making that kernel. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *make_kernel(void *program, const char *name, int *status);

void *clCreateKernel(void *program, const char *name, int *status)
{
    const char *method = getenv("POCL_WORK_GROUP_METHOD"), *hangs_at = getenv("HANGS_AT");
    make_kernel *make = NULL;
    void *found = dlsym((void *)-1L, "clCreateKernel"); /* RTLD_NEXT, without its feature-test macro */
    memcpy(&make, &found, sizeof make);
    while (hangs_at != NULL && strcmp(hangs_at, name) == 0) sleep(1);
    if (make == NULL || (hangs_at == NULL && (method == NULL || strcmp(method, "cbs") != 0))) abort();
    return make(program, name, status);
}
