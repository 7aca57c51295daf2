/* Finds the files that come with the program: published results and scripts, laid out as in the source tree. */
#ifndef MU_BASE_USER_DATA_FOLDER_H
#define MU_BASE_USER_DATA_FOLDER_H

/* Returns the first of these that is there: the environment's MUSTER_DATA; share/muster beside the folder of the
 * program, as in an installation, wherever that was moved to; the program's own folder, as in a source tree; the folder
 * that configure was given. NULL if none is. */
const char *mu_data_folder(void);

/* Returns the path of this program; NULL if the system does not say. */
const char *mu_own_path(void);

#endif
