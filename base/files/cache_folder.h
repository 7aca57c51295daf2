/* The folder of the cache, for the files of base/files/ that work in it. */
#ifndef MU_BASE_FILES_CACHE_FOLDER_H
#define MU_BASE_FILES_CACHE_FOLDER_H

#include "base/files/cache.h"

/* The folder, open; -1 when there is none that this user alone can write to. Whoever else could would plant links that
 * lead to other files, and binaries that the device then runs. */
int mu_cache_folder(void);

#endif
