/* Every bound that the generator puts on a spec, in one place.  child/confine.c has the words for a user who
 * runs into one. */
#ifndef HALOGEN_LIMITS_H
#define HALOGEN_LIMITS_H

enum {
    MEBIBYTE = 1 << 20,

    /* Time.  The first to be reached ends the child.  It is the processor's time, since on a busy machine a
     * good spec may take any time on the wall; only a child that somebody stopped, and that cannot end
     * itself, is given up by the wall.  At the end the child has a moment to say at which line it was. */
    INSTRUCTIONS_IN_MILLIONS = 50,
    CPU_SECONDS = 5,
    LAST_WORDS_SECONDS = 1,
    STOPPED_SECONDS = 8,

    /* Space. */
    LUA_MEBIBYTES = 256,
    ADDRESS_SPACE_MEBIBYTES = 1024,
    DESCRIPTORS = 64,

    /* What may come in and go out. */
    SOURCES_MAX = 256,
    SOURCE_BYTES_MAX = 64 * MEBIBYTE, /* all together */
    DIAGS_MAX = 100,
    NOTES_MAX = 8,
    MESSAGE_MAX = 4096, /* any one text of a diagnostic */
    TRACE_MAX = 16384,  /* the traceback of an internal error */
    OUTPUTS_MAX = 16,
    OUTPUT_BYTES_MAX = 64 * MEBIBYTE, /* all together */
    PRINT_BYTES_MAX = 16 * MEBIBYTE,
    NAME_MAX_BYTES = 200,
};

#endif
