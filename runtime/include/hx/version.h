/*
 * Which libhx this is.  These three numbers are the version of all of halogen; everything else reads them
 * here.
 */
#ifndef HX_VERSION_H
#define HX_VERSION_H

#define HX_VERSION_MAJOR 0
#define HX_VERSION_MINOR 1
#define HX_VERSION_PATCH 0

/* For the preprocessor: #if HX_VERSION_NUMBER >= HX_VERSION_OF(0, 2, 0). */
#define HX_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define HX_VERSION_NUMBER                  HX_VERSION_OF(HX_VERSION_MAJOR, HX_VERSION_MINOR, HX_VERSION_PATCH)

/* The same as text: "0.1.0". */
#define HX_VERSION_TEXT_OF(number) #number
#define HX_VERSION_TEXT(number)    HX_VERSION_TEXT_OF(number)
#define HX_VERSION                                                                                           \
    HX_VERSION_TEXT(HX_VERSION_MAJOR)                                                                        \
    "." HX_VERSION_TEXT(HX_VERSION_MINOR) "." HX_VERSION_TEXT(HX_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The number of the library that the program runs with, as HX_VERSION_NUMBER.  Local, any time, any thread.
 */
int hx_version_number(void);

/*
 * One line about that library, for logs and bug reports: version, commit, ABI, MPI, compiler and its flags.
 * The text is the library's own and never changes.  Local, any time, also before MPI_Init, any thread.
 */
const char *hx_version(void);

#ifdef __cplusplus
}
#endif

#endif
