/* The folder of the cache, for the files of base/files/ that work in it. */
#ifndef MU_BASE_FILES_CACHE_FOLDER_H
#define MU_BASE_FILES_CACHE_FOLDER_H

#include "base/files/cache.h"

/* Opens the folder; -1 if there is none that only this user can write to. Another user could plant links to other
 * files, or binaries that the device would run. */
int mu_cache_folder(void);

#endif
