/* trusting: buffers (name, element type, length, role) and scalars. */
#define APP_BUFFERS(X) X(number, uint, vertices, RESULT)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_SCRATCH_WORDS 0
