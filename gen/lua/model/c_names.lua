-- Names that C libraries declare, and that therefore cannot stand alone in emitted code, however a program includes them.
--
-- C: ISO/IEC 9899:2011, annex B.  POSIX: IEEE Std 1003.1-2008 with XSI, section "System Interfaces" and the headers that
-- they need; of macros those of headers that simulations include, so no terminals and sockets.  Unix systems: what glibc 2.36
-- declares besides in the same headers for _GNU_SOURCE, which C++ compilers define; without the names for _Float32 and the
-- like.  The words are those that glibc's headers have for these standards; names with an underscore at their start or two in
-- a row are left out, since no name of a spec has them.  PRId64 and the like follow a pattern: names.lua.
-- A test compares the list with what headers declare: tests/emit/declared.sh.

return {
  { kind = "functions", title = "a function of C", words = [[
    ATOMIC_VAR_INIT CMPLX CMPLXF CMPLXL INT16_C INT32_C INT64_C INT8_C INTMAX_C UINT16_C UINT32_C UINT64_C UINT8_C UINTMAX_C
    abort abs acos acosf acosh acoshf acoshl acosl aligned_alloc asctime asin asinf asinh asinhf asinhl asinl assert
    at_quick_exit atan atan2 atan2f atan2l atanf atanh atanhf atanhl atanl atexit atof atoi atol atoll
    atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak
    atomic_compare_exchange_weak_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add
    atomic_fetch_add_explicit atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_or atomic_fetch_or_explicit
    atomic_fetch_sub atomic_fetch_sub_explicit atomic_fetch_xor atomic_fetch_xor_explicit atomic_flag_clear
    atomic_flag_clear_explicit atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_init atomic_is_lock_free
    atomic_load atomic_load_explicit atomic_signal_fence atomic_store atomic_store_explicit atomic_thread_fence bsearch
    btowc c16rtomb c32rtomb cabs cabsf cabsl cacos cacosf cacosh cacoshf cacoshl cacosl call_once calloc carg cargf cargl
    casin casinf casinh casinhf casinhl casinl catan catanf catanh catanhf catanhl catanl cbrt cbrtf cbrtl ccos ccosf ccosh
    ccoshf ccoshl ccosl ceil ceilf ceill cexp cexpf cexpl cimag cimagf cimagl clearerr clock clog clogf clogl cnd_broadcast
    cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait conj conjf conjl copysign copysignf copysignl cos cosf cosh coshf
    coshl cosl cpow cpowf cpowl cproj cprojf cprojl creal crealf creall csin csinf csinh csinhf csinhl csinl csqrt csqrtf
    csqrtl ctan ctanf ctanh ctanhf ctanhl ctanl ctime difftime div erf erfc erfcf erfcl erff erfl exit exp exp2 exp2f exp2l
    expf expl expm1 expm1f expm1l fabs fabsf fabsl fclose fdim fdimf fdiml feclearexcept fegetenv fegetexceptflag fegetround
    feholdexcept feof feraiseexcept ferror fesetenv fesetexceptflag fesetround fetestexcept feupdateenv fflush fgetc fgetpos
    fgets fgetwc fgetws floor floorf floorl fma fmaf fmal fmax fmaxf fmaxl fmin fminf fminl fmod fmodf fmodl fopen
    fpclassify fprintf fputc fputs fputwc fputws fread free freopen frexp frexpf frexpl fscanf fseek fsetpos ftell fwide
    fwprintf fwrite fwscanf getc getchar getenv getwc getwchar gmtime hypot hypotf hypotl ilogb ilogbf ilogbl imaxabs
    imaxdiv isalnum isalpha isblank iscntrl isdigit isfinite isgraph isgreater isgreaterequal isinf isless islessequal
    islessgreater islower isnan isnormal isprint ispunct isspace isunordered isupper iswalnum iswalpha iswblank iswcntrl
    iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit kill_dependency labs ldexp
    ldexpf ldexpl ldiv lgamma lgammaf lgammal llabs lldiv llrint llrintf llrintl llround llroundf llroundl localeconv
    localtime log log10 log10f log10l log1p log1pf log1pl log2 log2f log2l logb logbf logbl logf logl longjmp lrint lrintf
    lrintl lround lroundf lroundl malloc mblen mbrlen mbrtoc16 mbrtoc32 mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc memchr
    memcmp memcpy memmove memset mktime modf modff modfl mtx_destroy mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock
    nan nanf nanl nearbyint nearbyintf nearbyintl nextafter nextafterf nextafterl nexttoward nexttowardf nexttowardl
    offsetof perror pow powf powl printf putc putchar puts putwc putwchar qsort quick_exit raise rand realloc remainder
    remainderf remainderl remove remquo remquof remquol rename rewind rint rintf rintl round roundf roundl scalbln scalblnf
    scalblnl scalbn scalbnf scalbnl scanf setbuf setjmp setlocale setvbuf signal signbit sin sinf sinh sinhf sinhl sinl
    snprintf sprintf sqrt sqrtf sqrtl srand sscanf strcat strchr strcmp strcoll strcpy strcspn strerror strftime strlen
    strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtof strtoimax strtok strtol strtold strtoll strtoul
    strtoull strtoumax strxfrm swprintf swscanf system tan tanf tanh tanhf tanhl tanl tgamma tgammaf tgammal thrd_create
    thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield time timespec_get tmpfile tmpnam tolower
    toupper towctrans towlower towupper trunc truncf truncl tss_create tss_delete tss_get tss_set ungetc ungetwc va_arg
    va_copy va_end va_start vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf
    vwprintf vwscanf wcrtomb wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsftime wcslen wcsncat wcsncmp wcsncpy wcspbrk
    wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull
    wcstoumax wcsxfrm wctob wctomb wctrans wctype wmemchr wmemcmp wmemcpy wmemmove wmemset wprintf wscanf ]] },
  { kind = "types", title = "a type or constant of C", words = [[
    FILE atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_flag atomic_int atomic_int_fast16_t
    atomic_int_fast32_t atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t
    atomic_int_least64_t atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t
    atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t
    atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t
    atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t char16_t
    char32_t clock_t cnd_t div_t double_t fenv_t fexcept_t float_t fpos_t imaxdiv_t int16_t int32_t int64_t int8_t
    int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t
    intptr_t jmp_buf lconv ldiv_t lldiv_t max_align_t mbstate_t memory_order memory_order_acq_rel memory_order_acquire
    memory_order_consume memory_order_relaxed memory_order_release memory_order_seq_cst mtx_plain mtx_recursive mtx_t
    mtx_timed once_flag ptrdiff_t sig_atomic_t size_t thrd_busy thrd_error thrd_nomem thrd_success thrd_t thrd_timedout
    time_t timespec tm tss_t uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t
    uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t va_list wchar_t wctrans_t wctype_t wint_t ]] },
  { kind = "macros", title = "a macro of C", words = [[
    ATOMIC_BOOL_LOCK_FREE ATOMIC_CHAR16_T_LOCK_FREE ATOMIC_CHAR32_T_LOCK_FREE ATOMIC_CHAR_LOCK_FREE ATOMIC_FLAG_INIT
    ATOMIC_INT_LOCK_FREE ATOMIC_LLONG_LOCK_FREE ATOMIC_LONG_LOCK_FREE ATOMIC_POINTER_LOCK_FREE ATOMIC_SHORT_LOCK_FREE
    ATOMIC_WCHAR_T_LOCK_FREE BUFSIZ CHAR_BIT CHAR_MAX CHAR_MIN CLOCKS_PER_SEC DBL_DECIMAL_DIG DBL_DIG DBL_EPSILON
    DBL_HAS_SUBNORM DBL_MANT_DIG DBL_MAX DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN DBL_MIN_10_EXP DBL_MIN_EXP DBL_TRUE_MIN
    DECIMAL_DIG E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR
    EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK
    EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR
    EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD
    ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN
    ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM
    ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE
    ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO
    EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE
    ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL
    EXIT_FAILURE EXIT_SUCCESS FE_ALL_EXCEPT FE_DFL_ENV FE_DIVBYZERO FE_DOWNWARD FE_INEXACT FE_INVALID FE_OVERFLOW
    FE_TONEAREST FE_TOWARDZERO FE_UNDERFLOW FE_UPWARD FILENAME_MAX FLT_DECIMAL_DIG FLT_DIG FLT_EPSILON FLT_EVAL_METHOD
    FLT_HAS_SUBNORM FLT_MANT_DIG FLT_MAX FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN FLT_MIN_10_EXP FLT_MIN_EXP FLT_RADIX FLT_ROUNDS
    FLT_TRUE_MIN FOPEN_MAX FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL HUGE_VALF
    HUGE_VALL I INFINITY INT16_MAX INT16_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN INT8_MAX INT8_MIN INTMAX_MAX INTMAX_MIN
    INTPTR_MAX INTPTR_MIN INT_FAST16_MAX INT_FAST16_MIN INT_FAST32_MAX INT_FAST32_MIN INT_FAST64_MAX INT_FAST64_MIN
    INT_FAST8_MAX INT_FAST8_MIN INT_LEAST16_MAX INT_LEAST16_MIN INT_LEAST32_MAX INT_LEAST32_MIN INT_LEAST64_MAX
    INT_LEAST64_MIN INT_LEAST8_MAX INT_LEAST8_MIN INT_MAX INT_MIN LC_ADDRESS LC_ALL LC_COLLATE LC_CTYPE LC_IDENTIFICATION
    LC_MEASUREMENT LC_MESSAGES LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME LDBL_DECIMAL_DIG LDBL_DIG
    LDBL_EPSILON LDBL_HAS_SUBNORM LDBL_MANT_DIG LDBL_MAX LDBL_MAX_10_EXP LDBL_MAX_EXP LDBL_MIN LDBL_MIN_10_EXP LDBL_MIN_EXP
    LDBL_TRUE_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN L_tmpnam MATH_ERREXCEPT MATH_ERRNO MB_CUR_MAX MB_LEN_MAX NAN NULL
    ONCE_FLAG_INIT PTRDIFF_MAX PTRDIFF_MIN RAND_MAX SCHAR_MAX SCHAR_MIN SEEK_CUR SEEK_END SEEK_SET SHRT_MAX SHRT_MIN SIGABRT
    SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR
    SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1
    SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIG_DFL SIG_ERR SIG_IGN SIZE_MAX TIME_UTC
    TMP_MAX TSS_DTOR_ITERATIONS UCHAR_MAX UINT16_MAX UINT32_MAX UINT64_MAX UINT8_MAX UINTMAX_MAX UINTPTR_MAX UINT_FAST16_MAX
    UINT_FAST32_MAX UINT_FAST64_MAX UINT_FAST8_MAX UINT_LEAST16_MAX UINT_LEAST32_MAX UINT_LEAST64_MAX UINT_LEAST8_MAX
    UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX WCHAR_MAX WCHAR_MIN WEOF WINT_MAX WINT_MIN complex errno math_errhandling stderr
    stdin stdout ]] },
  { kind = "functions", title = "a function of POSIX", words = [[
    FD_CLR FD_ISSET FD_SET FD_ZERO S_ISBLK S_ISCHR S_ISDIR S_ISFIFO S_ISLNK S_ISREG S_ISSOCK S_TYPEISMQ S_TYPEISSEM
    S_TYPEISSHM WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WSTOPSIG WTERMSIG a64l accept access aio_cancel
    aio_error aio_fsync aio_read aio_return aio_suspend aio_write alarm alphasort asctime_r bind catclose catgets catopen
    cfgetispeed cfgetospeed cfsetispeed cfsetospeed chdir chmod chown clock_getcpuclockid clock_getres clock_gettime
    clock_nanosleep clock_settime close closedir closelog confstr connect creat ctermid ctime_r dirfd dirname dlclose
    dlerror dlopen dlsym dprintf drand48 dup dup2 duplocale endgrent endhostent endnetent endprotoent endpwent endservent
    endutxent erand48 execl execle execlp execv execve execvp faccessat fchdir fchmod fchmodat fchown fchownat fcntl
    fdatasync fdopen fdopendir fexecve ffs fileno flockfile fmemopen fmtmsg fnmatch fork fpathconf freeaddrinfo freelocale
    fseeko fstat fstatat fstatvfs fsync ftello ftok ftruncate ftrylockfile ftw funlockfile futimens gai_strerror getaddrinfo
    getc_unlocked getchar_unlocked getcwd getdate getdelim getegid geteuid getgid getgrent getgrgid getgrgid_r getgrnam
    getgrnam_r getgroups gethostbyaddr gethostbyname gethostent gethostid gethostname getitimer getline getlogin getlogin_r
    getnameinfo getnetbyaddr getnetbyname getnetent getopt getpeername getpgid getpgrp getpid getppid getpriority
    getprotobyname getprotobynumber getprotoent getpwent getpwnam getpwnam_r getpwuid getpwuid_r getrlimit getrusage
    getservbyname getservbyport getservent getsid getsockname getsockopt getsubopt gettimeofday getuid getutxent getutxid
    getutxline glob globfree gmtime_r grantpt hcreate hdestroy hsearch htonl htons iconv iconv_close iconv_open
    if_freenameindex if_indextoname if_nameindex if_nametoindex inet_addr inet_lnaof inet_makeaddr inet_netof inet_network
    inet_ntoa inet_ntop inet_pton initstate insque isalnum_l isalpha_l isascii isatty isblank_l iscntrl_l isdigit_l
    isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l iswalnum_l iswalpha_l iswblank_l iswcntrl_l iswctype_l
    iswdigit_l iswgraph_l iswlower_l iswprint_l iswpunct_l iswspace_l iswupper_l iswxdigit_l isxdigit_l j0 j1 jn jrand48
    kill killpg l64a lchown lcong48 lfind link linkat lio_listio listen localtime_r lockf lrand48 lsearch lseek lstat
    mbsnrtowcs memccpy mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat mkstemp mlock mlockall mmap mprotect mq_close
    mq_getattr mq_notify mq_open mq_receive mq_send mq_setattr mq_timedreceive mq_timedsend mq_unlink mrand48 msgctl msgget
    msgrcv msgsnd msync munlock munlockall munmap nanosleep newlocale nftw nice nl_langinfo nl_langinfo_l nrand48 ntohl
    ntohs open open_memstream open_wmemstream openat opendir openlog pathconf pause pclose pipe poll popen posix_fadvise
    posix_fallocate posix_madvise posix_memalign posix_openpt posix_spawn posix_spawn_file_actions_addclose
    posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addopen posix_spawn_file_actions_destroy
    posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_getflags posix_spawnattr_getpgroup
    posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy posix_spawnattr_getsigdefault posix_spawnattr_getsigmask
    posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setschedparam
    posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault posix_spawnattr_setsigmask posix_spawnp pread pselect
    psiginfo psignal pthread_atfork pthread_attr_destroy pthread_attr_getdetachstate pthread_attr_getguardsize
    pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope
    pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_getstacksize pthread_attr_init pthread_attr_setdetachstate
    pthread_attr_setguardsize pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_setschedpolicy
    pthread_attr_setscope pthread_attr_setstack pthread_attr_setstackaddr pthread_attr_setstacksize pthread_barrier_destroy
    pthread_barrier_init pthread_barrier_wait pthread_barrierattr_destroy pthread_barrierattr_getpshared
    pthread_barrierattr_init pthread_barrierattr_setpshared pthread_cancel pthread_cleanup_pop pthread_cleanup_push
    pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_cond_timedwait
    pthread_cond_wait pthread_condattr_destroy pthread_condattr_getclock pthread_condattr_getpshared pthread_condattr_init
    pthread_condattr_setclock pthread_condattr_setpshared pthread_create pthread_detach pthread_equal pthread_exit
    pthread_getconcurrency pthread_getcpuclockid pthread_getschedparam pthread_getspecific pthread_join pthread_key_create
    pthread_key_delete pthread_kill pthread_mutex_consistent pthread_mutex_destroy pthread_mutex_getprioceiling
    pthread_mutex_init pthread_mutex_lock pthread_mutex_setprioceiling pthread_mutex_timedlock pthread_mutex_trylock
    pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol
    pthread_mutexattr_getpshared pthread_mutexattr_getrobust pthread_mutexattr_gettype pthread_mutexattr_init
    pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol pthread_mutexattr_setpshared pthread_mutexattr_setrobust
    pthread_mutexattr_settype pthread_once pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock
    pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock
    pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy pthread_rwlockattr_getkind_np
    pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared
    pthread_self pthread_setcancelstate pthread_setcanceltype pthread_setconcurrency pthread_setschedparam
    pthread_setschedprio pthread_setspecific pthread_sigmask pthread_spin_destroy pthread_spin_init pthread_spin_lock
    pthread_spin_trylock pthread_spin_unlock pthread_testcancel ptsname putc_unlocked putchar_unlocked putenv pututxline
    pwrite rand_r random read readdir readdir_r readlink readlinkat readv realpath recv recvfrom recvmsg regcomp regerror
    regexec regfree remque renameat rewinddir rmdir scandir sched_get_priority_max sched_get_priority_min sched_getparam
    sched_getscheduler sched_rr_get_interval sched_setparam sched_setscheduler sched_yield seed48 seekdir select sem_close
    sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_unlink sem_wait semctl semget semop
    send sendmsg sendto setegid setenv seteuid setgid setgrent sethostent setitimer setlogmask setnetent setpgid setpgrp
    setpriority setprotoent setpwent setregid setreuid setrlimit setservent setsid setsockopt setstate setuid setutxent
    shm_open shm_unlink shmat shmctl shmdt shmget shutdown sigaction sigaddset sigaltstack sigdelset sigemptyset sigfillset
    sighold sigignore siginterrupt sigismember siglongjmp sigpause sigpending sigprocmask sigqueue sigrelse sigset sigsetjmp
    sigsuspend sigtimedwait sigwait sigwaitinfo sleep sockatmark socket socketpair srand48 srandom stat statvfs stpcpy
    stpncpy strcasecmp strcasecmp_l strcoll_l strdup strerror_l strerror_r strfmon strfmon_l strftime_l strncasecmp
    strncasecmp_l strndup strnlen strptime strsignal strtok_r strxfrm_l swab symlink symlinkat sync sysconf syslog tcdrain
    tcflow tcflush tcgetattr tcgetpgrp tcgetsid tcsendbreak tcsetattr tcsetpgrp tdelete telldir tempnam tfind timer_create
    timer_delete timer_getoverrun timer_gettime timer_settime times toascii tolower_l toupper_l towctrans_l towlower_l
    towupper_l truncate tsearch ttyname ttyname_r twalk tzset ulimit umask uname unlink unlinkat unlockpt unsetenv uselocale
    utime utimensat utimes vdprintf wait waitid waitpid wcpcpy wcpncpy wcscasecmp wcscasecmp_l wcscoll_l wcsdup wcsncasecmp
    wcsncasecmp_l wcsnlen wcsnrtombs wcswcs wcswidth wcsxfrm_l wctrans_l wctype_l wcwidth wordexp wordfree write writev y0
    y1 yn ]] },
  { kind = "types", title = "a type or constant of POSIX", words = [[
    ABDAY_1 ABDAY_2 ABDAY_3 ABDAY_4 ABDAY_5 ABDAY_6 ABDAY_7 ABMON_1 ABMON_10 ABMON_11 ABMON_12 ABMON_2 ABMON_3 ABMON_4
    ABMON_5 ABMON_6 ABMON_7 ABMON_8 ABMON_9 ACTION AIO_ALLDONE AIO_CANCELED AIO_NOTCANCELED ALT_DIGITS AM_STR CODESET DAY_1
    DAY_2 DAY_3 DAY_4 DAY_5 DAY_6 DAY_7 DIR D_FMT D_T_FMT ENTER ENTRY ERA ERA_D_FMT ERA_D_T_FMT ERA_T_FMT FIND FTW GCC
    IPPORT_BIFFUDP IPPORT_CMDSERVER IPPORT_DAYTIME IPPORT_DISCARD IPPORT_ECHO IPPORT_EFSSERVER IPPORT_EXECSERVER
    IPPORT_FINGER IPPORT_FTP IPPORT_LOGINSERVER IPPORT_MTP IPPORT_NAMESERVER IPPORT_NETSTAT IPPORT_RESERVED IPPORT_RJE
    IPPORT_ROUTESERVER IPPORT_SMTP IPPORT_SUPDUP IPPORT_SYSTAT IPPORT_TELNET IPPORT_TFTP IPPORT_TIMESERVER IPPORT_TTYLINK
    IPPORT_USERRESERVED IPPORT_WHOIS IPPORT_WHOSERVER IPPROTO_AH IPPROTO_BEETPH IPPROTO_COMP IPPROTO_DCCP IPPROTO_DSTOPTS
    IPPROTO_EGP IPPROTO_ENCAP IPPROTO_ESP IPPROTO_ETHERNET IPPROTO_FRAGMENT IPPROTO_GRE IPPROTO_HOPOPTS IPPROTO_ICMP
    IPPROTO_ICMPV6 IPPROTO_IDP IPPROTO_IGMP IPPROTO_IP IPPROTO_IPIP IPPROTO_IPV6 IPPROTO_MAX IPPROTO_MH IPPROTO_MPLS
    IPPROTO_MPTCP IPPROTO_MTP IPPROTO_NONE IPPROTO_PIM IPPROTO_PUP IPPROTO_RAW IPPROTO_ROUTING IPPROTO_RSVP IPPROTO_SCTP
    IPPROTO_TCP IPPROTO_TP IPPROTO_UDP IPPROTO_UDPLITE LIO_NOP LIO_NOWAIT LIO_READ LIO_WAIT LIO_WRITE MM_APPL MM_CONSOLE
    MM_ERROR MM_FIRM MM_HALT MM_HARD MM_INFO MM_NOCON MM_NOMSG MM_NOSEV MM_NOTOK MM_NRECOV MM_OK MM_OPSYS MM_PRINT
    MM_RECOVER MM_SOFT MM_UTIL MM_WARNING MON_1 MON_10 MON_11 MON_12 MON_2 MON_3 MON_4 MON_5 MON_6 MON_7 MON_8 MON_9
    MSG_BATCH MSG_CMSG_CLOEXEC MSG_CONFIRM MSG_CTRUNC MSG_DONTROUTE MSG_DONTWAIT MSG_EOR MSG_ERRQUEUE MSG_FASTOPEN MSG_FIN
    MSG_MORE MSG_NOSIGNAL MSG_OOB MSG_PEEK MSG_PROXY MSG_RST MSG_SYN MSG_TRUNC MSG_WAITALL MSG_WAITFORONE MSG_ZEROCOPY
    PM_STR PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_ERRORCHECK PTHREAD_MUTEX_ERRORCHECK_NP
    PTHREAD_MUTEX_NORMAL PTHREAD_MUTEX_RECURSIVE PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_ROBUST PTHREAD_MUTEX_ROBUST_NP
    PTHREAD_MUTEX_STALLED PTHREAD_MUTEX_STALLED_NP PTHREAD_MUTEX_TIMED_NP PTHREAD_PRIO_INHERIT PTHREAD_PRIO_NONE
    PTHREAD_PRIO_PROTECT PTHREAD_RWLOCK_DEFAULT_NP PTHREAD_RWLOCK_PREFER_READER_NP
    PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP PTHREAD_RWLOCK_PREFER_WRITER_NP P_ALL P_PGID P_PID P_PIDFD RADIXCHAR
    SCM_RIGHTS SHUT_RD SHUT_RDWR SHUT_WR SOCK_CLOEXEC SOCK_DCCP SOCK_DGRAM SOCK_NONBLOCK SOCK_PACKET SOCK_RAW SOCK_RDM
    SOCK_SEQPACKET SOCK_STREAM ST_NOSUID ST_RDONLY THOUSEP T_FMT T_FMT_AMPM UL_GETFSIZE UL_SETFSIZE VISIT WRDE_APPEND
    WRDE_BADCHAR WRDE_BADVAL WRDE_CMDSUB WRDE_DOOFFS WRDE_NOCMD WRDE_NOSPACE WRDE_NOSYS WRDE_REUSE WRDE_SHOWERR WRDE_SYNTAX
    WRDE_UNDEF active_reg_t addrinfo aiocb blkcnt_t blksize_t cc_t clockid_t cmsghdr cpu_set_t daylight dev_t diagnostic
    dirent endorder entry fd_set flock fpregset_t fsblkcnt_t fsfilcnt_t getdate_err gid_t glob_t greg_t gregset_t group
    hostent iconv_t id_t idtype_t ignored in6_addr in6addr_any in6addr_loopback in_addr in_addr_t in_port_t ino_t iovec
    ipc_perm ipv6_mreq itimerspec itimerval key_t leaf linger locale_t mcontext_t mode_t mq_attr mqd_t msghdr msglen_t
    msgqnum_t msqid_ds netent nfds_t nl_catd nl_item nlink_t off_t optarg opterr optind optopt passwd pid_t pollfd pop
    posix_spawn_file_actions_t posix_spawnattr_t postorder pragma preorder protoent pthread_attr_t pthread_barrier_t
    pthread_barrierattr_t pthread_cond_t pthread_condattr_t pthread_key_t pthread_mutex_t pthread_mutexattr_t pthread_once_t
    pthread_rwlock_t pthread_rwlockattr_t pthread_spinlock_t pthread_t push re_pattern_buffer re_syntax_options
    reg_errcode_t reg_syntax_t regex_t register_t regmatch_t regoff_t rlim_t rlimit rusage s_reg_t sa_family_t sched_param
    sem_t sembuf semid_ds servent shmatt_t shmid_ds sigevent sigevent_t siginfo_t sigjmp_buf signgam sigset_t sigval
    sockaddr sockaddr_in sockaddr_in6 sockaddr_storage sockaddr_un socklen_t speed_t ssize_t stack_t suseconds_t tcflag_t
    termios timer_t timeval timezone tms tzname u_int16_t u_int32_t u_int64_t u_int8_t ucontext_t uid_t useconds_t utimbuf
    utmpx utsname wordexp_t ]] },
  { kind = "macros", title = "a macro of POSIX", words = [[
    AIO_PRIO_DELTA_MAX AT_EACCESS AT_FDCWD AT_REMOVEDIR AT_SYMLINK_FOLLOW AT_SYMLINK_NOFOLLOW BC_BASE_MAX BC_DIM_MAX
    BC_SCALE_MAX BC_STRING_MAX BUS_ADRALN BUS_ADRERR BUS_MCEERR_AO BUS_MCEERR_AR BUS_OBJERR CHARCLASS_NAME_MAX CLD_CONTINUED
    CLD_DUMPED CLD_EXITED CLD_KILLED CLD_STOPPED CLD_TRAPPED CLOCK_BOOTTIME CLOCK_BOOTTIME_ALARM CLOCK_MONOTONIC
    CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC_RAW CLOCK_PROCESS_CPUTIME_ID CLOCK_REALTIME CLOCK_REALTIME_ALARM
    CLOCK_REALTIME_COARSE CLOCK_TAI CLOCK_THREAD_CPUTIME_ID COLL_WEIGHTS_MAX DELAYTIMER_MAX EXPR_NEST_MAX FD_CLOEXEC
    FD_SETSIZE FNM_NOESCAPE FNM_NOMATCH FNM_NOSYS FNM_PATHNAME FNM_PERIOD FPE_CONDTRAP FPE_FLTDIV FPE_FLTINV FPE_FLTOVF
    FPE_FLTRES FPE_FLTSUB FPE_FLTUND FPE_FLTUNK FPE_INTDIV FPE_INTOVF FTW_CHDIR FTW_D FTW_DEPTH FTW_DNR FTW_DP FTW_F
    FTW_MOUNT FTW_NS FTW_PHYS FTW_SL FTW_SLN F_DUPFD F_DUPFD_CLOEXEC F_EXLCK F_GETFD F_GETFL F_GETLK F_GETLK64 F_GETOWN
    F_LOCK F_OK F_RDLCK F_SETFD F_SETFL F_SETLK F_SETLK64 F_SETLKW F_SETLKW64 F_SETOWN F_SHLCK F_TEST F_TLOCK F_ULOCK
    F_UNLCK F_WRLCK GLOB_ABORTED GLOB_APPEND GLOB_DOOFFS GLOB_ERR GLOB_MARK GLOB_NOCHECK GLOB_NOESCAPE GLOB_NOMATCH
    GLOB_NOSORT GLOB_NOSPACE GLOB_NOSYS GLOB_PERIOD HOST_NAME_MAX ILL_BADIADDR ILL_BADSTK ILL_COPROC ILL_ILLADR ILL_ILLOPC
    ILL_ILLOPN ILL_ILLTRP ILL_PRVOPC ILL_PRVREG IOV_MAX ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL LC_ADDRESS_MASK LC_ALL_MASK
    LC_COLLATE_MASK LC_CTYPE_MASK LC_GLOBAL_LOCALE LC_IDENTIFICATION_MASK LC_MEASUREMENT_MASK LC_MESSAGES_MASK
    LC_MONETARY_MASK LC_NAME_MASK LC_NUMERIC_MASK LC_PAPER_MASK LC_TELEPHONE_MASK LC_TIME_MASK LINE_MAX LOGIN_NAME_MAX
    LONG_BIT L_ctermid MAP_FAILED MAP_FIXED MAP_PRIVATE MAP_SHARED MAXFLOAT MAX_CANON MAX_INPUT MCL_CURRENT MCL_FUTURE
    MCL_ONFAULT MINSIGSTKSZ MQ_PRIO_MAX MS_ASYNC MS_INVALIDATE MS_SYNC M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E
    M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAME_MAX NGROUPS_MAX NL_ARGMAX NL_LANGMAX NL_MSGMAX NL_SETMAX NL_TEXTMAX
    NZERO O_ACCMODE O_APPEND O_ASYNC O_CLOEXEC O_CREAT O_DIRECTORY O_DSYNC O_EXCL O_FSYNC O_NDELAY O_NOCTTY O_NOFOLLOW
    O_NONBLOCK O_RDONLY O_RDWR O_RSYNC O_SYNC O_TRUNC O_WRONLY PATH_MAX PIPE_BUF POLL_ERR POLL_HUP POLL_IN POLL_MSG POLL_OUT
    POLL_PRI POSIX_FADV_DONTNEED POSIX_FADV_NOREUSE POSIX_FADV_NORMAL POSIX_FADV_RANDOM POSIX_FADV_SEQUENTIAL
    POSIX_FADV_WILLNEED POSIX_MADV_DONTNEED POSIX_MADV_NORMAL POSIX_MADV_RANDOM POSIX_MADV_SEQUENTIAL POSIX_MADV_WILLNEED
    PRIO_MAX PRIO_MIN PRIO_PGRP PRIO_PROCESS PRIO_USER PROT_EXEC PROT_GROWSDOWN PROT_GROWSUP PROT_NONE PROT_READ PROT_WRITE
    PTHREAD_BARRIER_SERIAL_THREAD PTHREAD_CANCELED PTHREAD_CANCEL_ASYNCHRONOUS PTHREAD_CANCEL_DEFERRED
    PTHREAD_CANCEL_DISABLE PTHREAD_CANCEL_ENABLE PTHREAD_COND_INITIALIZER PTHREAD_CREATE_DETACHED PTHREAD_CREATE_JOINABLE
    PTHREAD_DESTRUCTOR_ITERATIONS PTHREAD_EXPLICIT_SCHED PTHREAD_INHERIT_SCHED PTHREAD_KEYS_MAX PTHREAD_MUTEX_INITIALIZER
    PTHREAD_ONCE_INIT PTHREAD_PROCESS_PRIVATE PTHREAD_PROCESS_SHARED PTHREAD_RWLOCK_INITIALIZER PTHREAD_SCOPE_PROCESS
    PTHREAD_SCOPE_SYSTEM PTHREAD_STACK_MIN P_tmpdir REG_BADBR REG_BADPAT REG_BADRPT REG_EBRACE REG_EBRACK REG_ECOLLATE
    REG_ECTYPE REG_EEND REG_EESCAPE REG_ENOSYS REG_EPAREN REG_ERANGE REG_ERPAREN REG_ESIZE REG_ESPACE REG_ESUBREG
    REG_EXTENDED REG_ICASE REG_NEWLINE REG_NOERROR REG_NOMATCH REG_NOSUB REG_NOTBOL REG_NOTEOL REG_STARTEND RE_DUP_MAX
    RLIMIT_AS RLIMIT_CORE RLIMIT_CPU RLIMIT_DATA RLIMIT_FSIZE RLIMIT_LOCKS RLIMIT_MEMLOCK RLIMIT_MSGQUEUE RLIMIT_NICE
    RLIMIT_NLIMITS RLIMIT_NOFILE RLIMIT_NPROC RLIMIT_OFILE RLIMIT_RSS RLIMIT_RTPRIO RLIMIT_RTTIME RLIMIT_SIGPENDING
    RLIMIT_STACK RLIM_INFINITY RLIM_NLIMITS RLIM_SAVED_CUR RLIM_SAVED_MAX RTLD_BINDING_MASK RTLD_DEEPBIND RTLD_DEFAULT
    RTLD_GLOBAL RTLD_LAZY RTLD_LOCAL RTLD_NEXT RTLD_NODELETE RTLD_NOLOAD RTLD_NOW RTSIG_MAX RUSAGE_CHILDREN RUSAGE_SELF R_OK
    SA_NOCLDSTOP SA_NOCLDWAIT SA_NODEFER SA_ONSTACK SA_RESETHAND SA_RESTART SA_SIGINFO SCHED_FIFO SCHED_OTHER SCHED_RR
    SEGV_ACCADI SEGV_ACCERR SEGV_ADIDERR SEGV_ADIPERR SEGV_BNDERR SEGV_MAPERR SEGV_MTEAERR SEGV_MTESERR SEGV_PKUERR
    SEM_FAILED SEM_VALUE_MAX SIGEV_NONE SIGEV_SIGNAL SIGEV_THREAD SIGEV_THREAD_ID SIGSTKSZ SIG_BLOCK SIG_HOLD SIG_SETMASK
    SIG_UNBLOCK SI_ASYNCIO SI_ASYNCNL SI_DETHREAD SI_KERNEL SI_MESGQ SI_QUEUE SI_SIGIO SI_TIMER SI_TKILL SI_USER SSIZE_MAX
    SS_DISABLE SS_ONSTACK STDERR_FILENO STDIN_FILENO STDOUT_FILENO S_IFBLK S_IFCHR S_IFDIR S_IFIFO S_IFLNK S_IFMT S_IFREG
    S_IFSOCK S_IRGRP S_IROTH S_IRUSR S_IRWXG S_IRWXO S_IRWXU S_ISGID S_ISUID S_ISVTX S_IWGRP S_IWOTH S_IWUSR S_IXGRP S_IXOTH
    S_IXUSR TIMER_ABSTIME TRAP_BRANCH TRAP_BRKPT TRAP_HWBKPT TRAP_TRACE TRAP_UNK TTY_NAME_MAX UIO_MAXIOV UTIME_NOW
    UTIME_OMIT WCONTINUED WEXITED WNOHANG WNOWAIT WORD_BIT WSTOPPED WUNTRACED W_OK XATTR_LIST_MAX XATTR_NAME_MAX
    XATTR_SIZE_MAX X_OK basename d_fileno sa_handler sa_sigaction sched_priority si_addr si_addr_lsb si_arch si_band
    si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime si_syscall si_timerid si_uid
    si_upper si_utime si_value sigev_notify_attributes sigev_notify_function st_atime st_ctime st_mtime ]] },
  { kind = "functions", title = "a function of Unix systems", words = [[
    CMPLXF128 CMPLXF32 CMPLXF32X CMPLXF64X CPU_ALLOC CPU_ALLOC_SIZE CPU_AND CPU_AND_S CPU_CLR CPU_CLR_S CPU_COUNT
    CPU_COUNT_S CPU_EQUAL CPU_EQUAL_S CPU_FREE CPU_ISSET CPU_ISSET_S CPU_OR CPU_OR_S CPU_SET CPU_SET_S CPU_XOR CPU_XOR_S
    CPU_ZERO CPU_ZERO_S DL_CALL_FCT DTTOIF IFTODT TEMP_FAILURE_RETRY TIMESPEC_TO_TIMEVAL TIMEVAL_TO_TIMESPEC WCOREDUMP
    W_EXITCODE W_STOPCODE acct adjtime alloca arc4random arc4random_buf arc4random_uniform asprintf assert_perror bcmp bcopy
    be16toh be32toh be64toh brk bzero c8rtomb canonicalize canonicalize_file_name canonicalizef canonicalizel chroot
    clearenv clearerr_unlocked clock_adjtime clog10 clog10f clog10l clone close_range closefrom cookie_close_function_t
    cookie_read_function_t cookie_seek_function_t cookie_write_function_t copy_file_range crypt cuserid dadd daddl daemon
    ddiv ddivl dfma dfmal dladdr dladdr1 dlinfo dlmopen dlvsym dmul dmull drand48_r drem dremf dreml dsqrt dsqrtl dsub dsubl
    dup3 dysize eaccess ecvt ecvt_r endusershell erand48_r euidaccess execveat execvpe exp10 exp10f exp10l explicit_bzero
    fadd faddl fallocate fcloseall fcvt fcvt_r fdiv fdivl fedisableexcept feenableexcept fegetexcept fegetmode feof_unlocked
    ferror_unlocked fesetexcept fesetmode fetestexceptflag fflush_unlocked ffma ffmal ffsl ffsll fgetc_unlocked
    fgets_unlocked fgetwc_unlocked fgetws_unlocked fileno_unlocked finite finitef finitel fmaximum fmaximum_mag
    fmaximum_mag_num fmaximum_mag_numf fmaximum_mag_numl fmaximum_magf fmaximum_magl fmaximum_num fmaximum_numf
    fmaximum_numl fmaximumf fmaximuml fmaxmag fmaxmagf fmaxmagl fminimum fminimum_mag fminimum_mag_num fminimum_mag_numf
    fminimum_mag_numl fminimum_magf fminimum_magl fminimum_num fminimum_numf fminimum_numl fminimumf fminimuml fminmag
    fminmagf fminmagl fmul fmull fopencookie fputc_unlocked fputs_unlocked fputwc_unlocked fputws_unlocked fread_unlocked
    fromfp fromfpf fromfpl fromfpx fromfpxf fromfpxl fsqrt fsqrtl fsub fsubl futimes futimesat fwrite_unlocked gamma gammaf
    gammal gcvt get_current_dir_name getcpu getdate_r getdirentries getdomainname getdtablesize getentropy getloadavg
    getpagesize getpass getpayload getpayloadf getpayloadl getpt getresgid getresuid gettid getumask getusershell getw
    getwc_unlocked getwchar_unlocked getwd glob_pattern_p group_member gsignal hcreate_r hdestroy_r hsearch_r htobe16
    htobe32 htobe64 htole16 htole32 htole64 index initstate_r isascii_l iscanonical isctype iseqsig isinff isinfl isnanf
    isnanl issignaling issubnormal iszero j0f j0l j1f j1l jnf jnl jrand48_r lchmod lcong48_r le16toh le32toh le64toh
    lgamma_r lgammaf_r lgammal_r llogb llogbf llogbl lrand48_r lutimes madvise mbrtoc8 memfd_create memfrob memmem mempcpy
    memrchr mincore mkostemp mkostemps mkstemps mktemp mlock2 mrand48_r mremap name_to_handle_at nextdown nextdownf
    nextdownl nextup nextupf nextupl nrand48_r obstack_printf obstack_vprintf on_exit open_by_handle_at pipe2 pkey_alloc
    pkey_free pkey_get pkey_mprotect pkey_set preadv preadv2 preadv64v2 prlimit process_madvise process_mrelease
    process_vm_readv process_vm_writev profil pthread_attr_getaffinity_np pthread_attr_getsigmask_np
    pthread_attr_setaffinity_np pthread_attr_setsigmask_np pthread_cleanup_pop_restore_np pthread_cleanup_push_defer_np
    pthread_clockjoin_np pthread_cond_clockwait pthread_getaffinity_np pthread_getattr_default_np pthread_getattr_np
    pthread_getname_np pthread_mutex_clocklock pthread_mutex_consistent_np pthread_mutexattr_getrobust_np
    pthread_mutexattr_setrobust_np pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_setaffinity_np
    pthread_setattr_default_np pthread_setname_np pthread_sigqueue pthread_timedjoin_np pthread_tryjoin_np pthread_yield
    ptsname_r putw putwc_unlocked putwchar_unlocked pwritev pwritev2 pwritev64v2 qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort_r
    random_r rawmemchr re_compile_fastmap re_compile_pattern re_match re_match_2 re_search re_search_2 re_set_registers
    re_set_syntax readahead readdir64_r reallocarray remap_file_pages renameat2 revoke rindex roundeven roundevenf
    roundevenl rpmatch sbrk scalb scalbf scalbl scandirat sched_getaffinity sched_getcpu sched_setaffinity secure_getenv
    seed48_r sem_clockwait setbuffer setdomainname sethostid sethostname setlinebuf setlogin setns setpayload setpayloadf
    setpayloadl setpayloadsig setpayloadsigf setpayloadsigl setresgid setresuid setstate_r settimeofday setusershell
    sigabbrev_np sigandset sigblock sigdescr_np siggetmask sigisemptyset sigmask significand significandf significandl
    sigorset sigreturn sigsetmask sigstack sincos sincosf sincosl splice srand48_r srandom_r ssignal statx strcasestr
    strchrnul strdupa strerrordesc_np strerrorname_np strfromd strfromf strfroml strfry strndupa strptime_l strsep strtod_l
    strtof_l strtol_l strtold_l strtoll_l strtoq strtoul_l strtoull_l strtouq strverscmp sync_file_range syncfs syscall
    sysv_signal tdestroy tee tgkill timegm timelocal timeradd timerclear timercmp timerisset timersub timespec_getres
    tmpnam_r toascii_l totalorder totalorderf totalorderl totalordermag totalordermagf totalordermagl ttyslot twalk_r ualarm
    ufromfp ufromfpf ufromfpl ufromfpx ufromfpxf ufromfpxl unshare usleep valloc vasprintf versionsort vfork vhangup
    vmsplice wait3 wait4 wcschrnul wcsftime_l wcstod_l wcstof_l wcstol_l wcstold_l wcstoll_l wcstoq wcstoul_l wcstoull_l
    wcstouq wmempcpy y0f y0l y1f y1l ynf ynl ]] },
  { kind = "types", title = "a type or constant of Unix systems", words = [[
    Dl_info Dl_serinfo Dl_serpath F_OWNER_GID F_OWNER_PGRP F_OWNER_PID F_OWNER_TID Lmid_t PTHREAD_MUTEX_FAST_NP
    RTLD_DI_CONFIGADDR RTLD_DI_LINKMAP RTLD_DI_LMID RTLD_DI_MAX RTLD_DI_ORIGIN RTLD_DI_PHDR RTLD_DI_PROFILENAME
    RTLD_DI_PROFILEOUT RTLD_DI_SERINFO RTLD_DI_SERINFOSIZE RTLD_DI_TLS_DATA RTLD_DI_TLS_MODID RTLD_DL_LINKMAP RTLD_DL_SYMENT
    blkcnt64_t caddr_t char8_t comparison_fn_t cookie_io_functions_t daddr_t dl_find_object drand48_data environ error_t
    f_owner_ex fd_mask femode_t file_handle fpos64_t fsblkcnt64_t fsfilcnt64_t fsid_t glob64_t hsearch_data ino64_t loff_t
    obstack off64_t program_invocation_name program_invocation_short_name qelem quad_t random_data re_registers rlim64_t
    sig_t sigcontext sighandler_t sigval_t statx_timestamp timex u_char u_int u_long u_quad_t u_short uint ulong ushort ]] },
  { kind = "macros", title = "a macro of Unix systems", words = [[
    ACCESSPERMS ALLPERMS BIG_ENDIAN BOOL_MAX BYTE_ORDER CLOSE_RANGE_CLOEXEC CLOSE_RANGE_UNSHARE CSIGNAL DEFFILEMODE
    DLFO_EH_SEGMENT_TYPE DLFO_STRUCT_HAS_EH_COUNT DLFO_STRUCT_HAS_EH_DBASE DT_BLK DT_CHR DT_DIR DT_FIFO DT_LNK DT_REG
    DT_SOCK DT_UNKNOWN DT_WHT FAPPEND FASYNC FE_DFL_MODE FE_NOMASK_ENV FFSYNC FNDELAY FNONBLOCK FP_INT_DOWNWARD
    FP_INT_TONEAREST FP_INT_TONEARESTFROMZERO FP_INT_TOWARDZERO FP_INT_UPWARD FP_LLOGB0 FP_LLOGBNAN FP_XSTATE_MAGIC1
    FP_XSTATE_MAGIC2 FP_XSTATE_MAGIC2_SIZE GLOB_ALTDIRFUNC GLOB_BRACE GLOB_MAGCHAR GLOB_NOMAGIC GLOB_ONLYDIR GLOB_TILDE
    GLOB_TILDE_CHECK HUGE_VAL_F128 HUGE_VAL_F32 HUGE_VAL_F32X HUGE_VAL_F64X LITTLE_ENDIAN LM_ID_BASE LM_ID_NEWLM LOCK_EX
    LOCK_MAND LOCK_NB LOCK_READ LOCK_RW LOCK_SH LOCK_UN LOCK_WRITE LONG_LONG_MAX LONG_LONG_MIN L_INCR L_SET L_XTND L_cuserid
    MADV_COLD MADV_DODUMP MADV_DOFORK MADV_DONTDUMP MADV_DONTFORK MADV_DONTNEED MADV_DONTNEED_LOCKED MADV_FREE MADV_HUGEPAGE
    MADV_HWPOISON MADV_KEEPONFORK MADV_MERGEABLE MADV_NOHUGEPAGE MADV_NORMAL MADV_PAGEOUT MADV_POPULATE_READ
    MADV_POPULATE_WRITE MADV_RANDOM MADV_REMOVE MADV_SEQUENTIAL MADV_UNMERGEABLE MADV_WILLNEED MADV_WIPEONFORK MAP_32BIT
    MAP_ANON MAP_ANONYMOUS MAP_DENYWRITE MAP_EXECUTABLE MAP_FILE MAP_FIXED_NOREPLACE MAP_GROWSDOWN MAP_HUGETLB MAP_HUGE_MASK
    MAP_HUGE_SHIFT MAP_LOCKED MAP_NONBLOCK MAP_NORESERVE MAP_POPULATE MAP_SHARED_VALIDATE MAP_STACK MAP_SYNC MAP_TYPE
    MAXNAMLEN MAX_HANDLE_SZ M_1_PIf M_1_PIl M_2_PIf M_2_PIl M_2_SQRTPIf M_2_SQRTPIl M_Ef M_El M_LN10f M_LN10l M_LN2f M_LN2l
    M_LOG10Ef M_LOG10El M_LOG2Ef M_LOG2El M_PI_2f M_PI_2l M_PI_4f M_PI_4l M_PIf M_PIl M_SQRT1_2f M_SQRT1_2l M_SQRT2f
    M_SQRT2l NFDBITS NGREG NL_NMAX NSIG PDP_ENDIAN REGS_FIXED REGS_REALLOCATE REGS_UNALLOCATED RLIM64_INFINITY RUSAGE_LWP
    RUSAGE_THREAD SA_INTERRUPT SA_NOMASK SA_ONESHOT SA_STACK SEEK_DATA SEEK_HOLE SNAN SNANF SNANF128 SNANF32 SNANF32X
    SNANF64X SNANL SYS_NMLN S_BLKSIZE S_IEXEC S_IREAD S_IWRITE ULONG_LONG_MAX WAIT_ANY WAIT_MYPGRP WCOREFLAG linux unix ]] },
}
