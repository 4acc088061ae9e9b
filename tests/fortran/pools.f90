! Pools: buffers as pointers of all kinds, those of handles, and those in a window.  And what handles tell as JSON.
program pools_test
  use, intrinsic :: iso_c_binding
  use hx
  use hx_pools
  use hx_windows
  use channel
  implicit none
  include 'mpif.h'

  type(hx_pool) :: pool
  type(hx_pool_counters) :: counters
  integer(c_int) :: ierr
  integer :: rank, code

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call buffers()
  call kinds()
  call refuse()
  call handles()
  call windows()
  call statistics()
  call MPI_Finalize(code)

contains

  subroutine buffers()
    real(c_double), pointer :: a(:,:), b(:,:)
    type(c_ptr) :: first, bytes

    call hx_pool_create(pool, check=1)
    call hx_pool_acquire(pool, [3, 5], a, lower=[0, -1])
    if (any(lbound(a) /= [0, -1]) .or. any(ubound(a) /= [2, 3])) print *, 'FAIL bounds', lbound(a), ubound(a)
    if (.not. is_contiguous(a)) print *, 'FAIL a buffer has gaps'
    first = c_loc(a(0, -1))
    a = 7
    call hx_pool_acquire(pool, [3, 5], b)
    b = 8
    if (any(nint(a) /= 7) .or. any(lbound(b) /= 1)) print *, 'FAIL buffers overlap'
    call expect_counters(2, 0, 2)
    call hx_pool_release(pool, a)
    if (associated(a)) print *, 'FAIL release leaves a pointer'
    call hx_pool_release(pool, a)
    call hx_pool_acquire(pool, [5, 3], a)
    if (.not. c_associated(first, c_loc(a))) print *, 'FAIL a buffer is not used again'
    call expect_counters(3, 1, 2)
    call hx_pool_acquire(pool, 100_c_size_t, bytes)
    if (.not. c_associated(bytes)) print *, 'FAIL no bytes'
    call hx_pool_destroy(pool, ierr)
    call expect(hx_err_state, '3 buffers of the pool')
    call hx_pool_release(pool, bytes)
    if (c_associated(bytes)) print *, 'FAIL release leaves an address'
    call hx_pool_release(pool, a)
    call hx_pool_release(pool, b)
    call hx_pool_trim(pool)
    call hx_pool_count(pool, counters)
    if (counters%held /= 0 .or. counters%idle /= 0 .or. counters%high_water < 2 * 15 * 8) print *, 'FAIL counters', counters
    call hx_pool_destroy(pool)
    call hx_pool_destroy(pool)
  end subroutine

  subroutine expect_counters(acquired, reused, held)
    integer, intent(in) :: acquired, reused, held

    call hx_pool_count(pool, counters)
    if (counters%acquired /= acquired .or. counters%reused /= reused .or. counters%held /= held) &
      print *, 'FAIL counters', counters%acquired, counters%reused, counters%held
  end subroutine

  ! Of each kind one, written and read.
  subroutine kinds()
    real(c_float), pointer :: f(:)
    integer(c_int8_t), pointer :: i8(:)
    integer(c_int16_t), pointer :: i16(:)
    integer(c_int32_t), pointer :: i32(:)
    integer(c_int64_t), pointer :: i64(:)
    logical(c_bool), pointer :: l(:)
    complex(c_float_complex), pointer :: fc(:)
    complex(c_double_complex), pointer :: dc(:)

    call hx_pool_create(pool)
    call hx_pool_acquire(pool, [9], f)
    call hx_pool_acquire(pool, [9], i8)
    call hx_pool_acquire(pool, [9], i16)
    call hx_pool_acquire(pool, [9], i32)
    call hx_pool_acquire(pool, [9], i64)
    call hx_pool_acquire(pool, [9], l)
    call hx_pool_acquire(pool, [9], fc)
    call hx_pool_acquire(pool, [9], dc)
    f = 1
    i8 = 2
    i16 = 3
    i32 = 4
    i64 = 5
    l = .true.
    fc = 6
    dc = 7
    if (any(nint(f) /= 1) .or. any(i8 /= 2) .or. any(i16 /= 3) .or. any(i32 /= 4) .or. any(i64 /= 5) .or. .not. all(l) &
        .or. any(nint(abs(fc)) /= 6) .or. any(nint(abs(dc)) /= 7) .or. size(dc) /= 9) print *, 'FAIL kinds'
    call hx_pool_release(pool, f)
    call hx_pool_release(pool, i8)
    call hx_pool_release(pool, i16)
    call hx_pool_release(pool, i32)
    call hx_pool_release(pool, i64)
    call hx_pool_release(pool, l)
    call hx_pool_release(pool, fc)
    call hx_pool_release(pool, dc)
    if (associated(dc) .or. associated(l)) print *, 'FAIL release leaves a pointer'
    call hx_pool_destroy(pool)
  end subroutine

  subroutine refuse()
    real(c_double), pointer :: a(:,:), b(:)
    real(c_double), target :: own(4)
    integer(c_size_t) :: offset

    call hx_pool_acquire(pool, [4], b, ierr=ierr)
    call expect(hx_err_argument, 'pool')
    if (associated(b)) print *, 'FAIL a buffer of no pool'
    call hx_pool_create(pool)
    call hx_pool_create(pool, ierr=ierr)
    call expect(hx_err_state, 'hx_pool_create: pool is in use; destroy it first')
    call hx_pool_acquire(pool, [4], a, ierr=ierr)
    call expect(hx_err_argument, 'hx_pool_acquire: extent has 1 element, the pointer has rank 2')
    call hx_pool_acquire(pool, [4, -1], a, ierr=ierr)
    call expect(hx_err_argument, 'hx_pool_acquire: extent 2 of the pointer cannot be -1')
    call hx_pool_acquire(pool, [huge(1_c_int), huge(1_c_int)], a, ierr=ierr)
    call expect(hx_err_argument, 'hx_pool_acquire: extent 2 of the pointer cannot be 2147483647')
    call hx_pool_acquire(pool, [4], b, lower=[1, 1], ierr=ierr)
    call expect(hx_err_argument, 'hx_pool_acquire: lower has 2 elements, the pointer has rank 1')
    b => own
    call hx_pool_release(pool, b, ierr)
    call expect(hx_err_argument, 'pool')
    if (.not. associated(b, own)) print *, 'FAIL a release that failed takes the pointer'
    call hx_pool_acquire(pool, [4], b)
    call hx_pool_offset(pool, b, offset, ierr)
    call expect(hx_err_argument, 'window')
    call hx_pool_release(pool, b)
    call hx_pool_destroy(pool)
  end subroutine

  ! Messages of a handle lie in the pool.
  subroutine handles()
    type(hx_part) :: mine
    type(hx_options) :: options
    type(channel_halo) :: halo
    character(:), allocatable :: json

    if (channel_describe_json(halo) /= '') print *, 'FAIL a description of no handle'
    if (index(hx_last_error(), 'channel_describe_json: halo was not created, or was destroyed') /= 1) &
      print *, 'FAIL "', hx_last_error(), '"'
    call hx_pool_create(pool)
    options%pool = pool
    call hx_set_option(options, 'transport', 'p2p')
    call hx_decompose(MPI_COMM_WORLD, channel_partition(8, 8, 8), mine)
    call channel_create(MPI_COMM_WORLD, channel_shape_dense(mine), halo, options)
    call hx_pool_count(pool, counters)
    if (counters%held == 0) print *, 'FAIL no message lies in the pool'
    call hx_pool_destroy(pool, ierr)
    call expect(hx_err_state, 'of the pool')
    json = channel_describe_json(halo)
    if (index(json, '{"format": "halogen-run"') /= 1 .or. index(json, '"spec": "channel"') == 0) print *, 'FAIL ', json
    if (json(len(json):) /= '}') print *, 'FAIL the end of ', json
    call channel_stats(halo, 'stats.json', ierr)
    call expect(hx_err_state, 'this handle has no statistics; set HX_STATS=1')
    call channel_destroy(halo)
    call channel_stats(halo, ierr=ierr)
    call expect(hx_err_state, 'channel_stats: halo was not created, or was destroyed')
    call hx_pool_count(pool, counters)
    if (counters%held /= 0) print *, 'FAIL the handle left buffers', counters%held
    call hx_pool_destroy(pool)
  end subroutine

  ! What HX_STATS has counted in the middle of a run; the rest of it goes to another file.
  subroutine statistics()
    interface
      function setenv(name, value, overwrite) result(failed) bind(c)
        import
        character(kind=c_char), intent(in) :: name(*), value(*)
        integer(c_int), value :: overwrite
        integer(c_int) :: failed
      end function
    end interface
    type(hx_part) :: mine
    type(channel_halo) :: halo
    type(channel_fields) :: f
    character(1000) :: program
    character(:), allocatable :: text
    integer :: unit, bytes

    call get_command_argument(0, program)
    if (setenv('HX_STATS' // c_null_char, trim(program) // '.end.json' // c_null_char, 1_c_int) /= 0) print *, 'FAIL setenv'
    call hx_decompose(MPI_COMM_WORLD, channel_partition(8, 8, 8), mine)
    call channel_create(MPI_COMM_WORLD, channel_shape_dense(mine), halo)
    call channel_alloc(halo, f)
    call channel_velocity(halo, f%u, f%v, f%w)
    call channel_stats(halo, trim(program) // '.json')
    call channel_destroy(halo)
    if (rank /= 0) return
    open (newunit=unit, file=trim(program) // '.json', access='stream', form='unformatted', status='old')
    inquire (unit=unit, size=bytes)
    allocate (character(bytes) :: text)
    read (unit) text
    close (unit)
    if (index(text, '{"format": "halogen-statistics"') /= 1 .or. index(text, '"times": 1,') == 0) print *, 'FAIL ', text
  end subroutine

  subroutine windows()
    type(hx_window_request) :: request
    type(hx_window) :: window
    integer(c_int8_t), pointer :: all(:)
    real(c_double), pointer :: a(:), b(:), large(:)
    integer(c_size_t) :: offset

    request%memory = hx_window_private
    request%extent(1) = 4096
    call hx_window_create(MPI_COMM_WORLD, request, window)
    call hx_window_pointer(window, rank, all)
    call hx_pool_create(pool, window=window)
    call hx_pool_acquire(pool, [10], a)
    call hx_pool_acquire(pool, [10], b)
    call hx_pool_offset(pool, b, offset)
    if (.not. c_associated(c_loc(all(offset + 1)), c_loc(b))) print *, 'FAIL offset', offset
    call hx_pool_acquire(pool, [1000], large, ierr=ierr)
    if (ierr /= hx_err_memory .or. associated(large)) print *, 'FAIL more than the window has', ierr
    call hx_window_free(window, ierr)
    if (ierr /= hx_err_state) print *, 'FAIL a window with a pool in it is freed', ierr
    call hx_pool_release(pool, b)
    call hx_pool_destroy(pool, ierr)
    call expect(hx_err_state, '1 buffer of the pool')
    call hx_pool_release(pool, a)
    call hx_pool_destroy(pool)
    call hx_window_free(window)
  end subroutine

  subroutine expect(status, words)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: words

    if (ierr == status .and. index(hx_last_error(), words) > 0) return
    print *, 'FAIL', ierr, ': "', hx_last_error(), '", not "', words, '"'
  end subroutine

end program
