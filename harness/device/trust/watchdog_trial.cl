/* The trial of a watchdog: a kernel that takes as long as it is told, to see whether the system lets it end. One
 * work-item reads a word that nobody writes, in rounds of some thousand reads, and leaves how many rounds it made, so
 * that a kernel that was cut short without a word is found out. */
__kernel void watchdog_trial(__global volatile uint *result, const uint rounds)
{
    uint round = 0;
    for (; round < rounds && result[1] == 0; round++)
        for (uint reads = 1; reads < 4096u && result[1] == 0; reads++)
            ;
    result[0] = round;
}
