/* Makes any driver one that works with one setting only: preloaded into a program, it ends every process that makes a
 * kernel without POCL_WORK_GROUP_METHOD=cbs in its environment. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef void *make_kernel(void *program, const char *name, int *status);

void *clCreateKernel(void *program, const char *name, int *status)
{
    const char *method = getenv("POCL_WORK_GROUP_METHOD");
    make_kernel *make = NULL;
    void *found = dlsym((void *)-1L, "clCreateKernel"); /* RTLD_NEXT, without its feature-test macro */
    memcpy(&make, &found, sizeof make);
    if (method == NULL || strcmp(method, "cbs") != 0 || make == NULL) abort();
    return make(program, name, status);
}
