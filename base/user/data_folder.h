/* Where the files are that come with the program: published results, scripts, laid out as in the source tree. */
#ifndef MU_BASE_USER_DATA_FOLDER_H
#define MU_BASE_USER_DATA_FOLDER_H

/* The environment's MUSTER_DATA; else share/muster beside the program's own folder, as it is installed, wherever that
 * was moved to; else the program's own folder, as it is in a source tree; else where it was to be installed. NULL when
 * none of them is there. */
const char *mu_data_folder(void);

/* The path of this program. NULL where the system does not tell. */
const char *mu_own_path(void);

#endif
