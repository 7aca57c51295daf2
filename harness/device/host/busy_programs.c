#include "harness/device/host/busy_programs.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 4096, NAMED = 3, STAT_BYTES = 1024 };

struct process {
    long pid;
    uint64_t ticks;
    char name[20];
};

/* Reads "pid (name) S ppid … utime stime …" of one process: the 14th and 15th field are what it used. */
static bool read_process(const char *root, const char *pid, struct process *process)
{
    char path[300], text[STAT_BYTES];
    char user[24], system[24];
    snprintf(path, sizeof path, "%s/proc/%s/stat", root, pid);
    FILE *from = fopen(path, "r");
    if (from == NULL) return false;
    const size_t used = fread(text, 1, sizeof text - 1, from);
    fclose(from);
    text[used] = '\0';
    const char *open = strchr(text, '('), *end = strrchr(text, ')');
    if (open == NULL || end == NULL || end < open ||
        sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %23[0-9] %23[0-9]", user, system) != 2)
        return false;
    process->pid = strtol(pid, NULL, 10);
    process->ticks = strtoull(user, NULL, 10) + strtoull(system, NULL, 10);
    snprintf(process->name, sizeof process->name, "%.*s", (int)(end - open - 1), open + 1);
    return true;
}

static size_t read_all(const char *root, struct process *processes)
{
    char path[256];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/proc", root);
    DIR *folder = opendir(path);
    if (folder == NULL) return 0;
    for (const struct dirent *entry; count < PROCESSES && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' &&
            read_process(root, entry->d_name, &processes[count]) && processes[count].pid != (long)getpid())
            count++;
    closedir(folder);
    return count;
}

/* Leaves what each used between the two readings; a process that is new has used all that it tells. */
static void subtract(const struct process *before, size_t before_count, struct process *after, size_t after_count)
{
    for (size_t i = 0; i < after_count; i++)
        for (size_t j = 0; j < before_count; j++)
            if (before[j].pid == after[i].pid && before[j].ticks <= after[i].ticks) after[i].ticks -= before[j].ticks;
}

static int compare_use(const void *first, const void *second)
{
    const struct process *a = first, *b = second;
    return (a->ticks < b->ticks) - (a->ticks > b->ticks);
}

void mu_busy_programs(const char *root, char *names, size_t bytes)
{
    static const struct timespec look = {.tv_nsec = 200000000};
    struct process *before = calloc(PROCESSES, sizeof *before), *after = calloc(PROCESSES, sizeof *after);
    names[0] = '\0';
    if (before != NULL && after != NULL) {
        const size_t before_count = read_all(root, before);
        nanosleep(&look, NULL);
        const size_t count = read_all(root, after);
        subtract(before, before_count, after, count);
        qsort(after, count, sizeof *after, compare_use);
        for (size_t i = 0, named = 0; i < count && named < NAMED && after[i].ticks > 0; i++) {
            const size_t used = strlen(names);
            if (strstr(names, after[i].name) != NULL) continue;
            snprintf(names + used, bytes - used, "%s%s", used != 0 ? ", " : "", after[i].name);
            named++;
        }
    }
    free(before);
    free(after);
}
