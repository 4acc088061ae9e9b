! Options of create: the handle tells what it uses, its traffic is clocked or not, and what is wrong is refused in words.
program options_test
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  include 'mpif.h'

  integer, parameter :: cells(3) = [8, 8, 6]
  type(hx_part) :: mine
  type(channel_halo) :: halo
  type(hx_options) :: options
  real(c_float), allocatable :: p(:,:,:)
  integer(c_int) :: ierr
  integer :: code

  call MPI_Init(code)
  call hx_decompose(MPI_COMM_WORLD, channel_partition(cells(1), cells(2), cells(3)), mine)
  allocate (p(0:mine%n(1) + 1, 0:mine%n(2) + 1, 0:mine%n(3) + 1))

  call hx_set_option(options, 'transport', 'persistent')
  call hx_set_option(options, 'schedule', 'by-dimension  ')
  options%timing = 1
  options%deadline = 100
  call use_options(options, timed=.true.)
  call says('persistent')
  call channel_destroy(halo)

  call hx_set_option(options, 'transport', 'p2p')
  call hx_set_option(options, 'schedule', 'one-phase')
  options%timing = 0
  call use_options(options, timed=.false.)
  call says('p2p')
  call channel_destroy(halo)

  ! No word is the default, and an object as it is declared has all defaults.
  call hx_set_option(options, 'transport', '')
  call use_options(options, timed=.false.)
  call says('shared')
  call channel_destroy(halo)
  call use_options(hx_options(timing=1), timed=.true.)
  call channel_destroy(halo)

  call refuse()
  call MPI_Finalize(code)

contains

  ! An exchange with a handle of these options: right, and clocked where that is asked for.
  subroutine use_options(wanted, timed)
    type(hx_options), intent(in) :: wanted
    logical, intent(in) :: timed
    type(hx_traffic) :: traffic
    integer :: i

    call channel_create(MPI_COMM_WORLD, channel_shape_dense(mine), halo, wanted)
    p = -1
    do i = 1, mine%n(1)
      p(i, 1:mine%n(2), 1:mine%n(3)) = real(modulo(mine%first(1) + i - 1, cells(1)), c_float)
    end do
    call channel_pressure(halo, p)
    if (any(nint(p(0, 1:mine%n(2), 1:mine%n(3))) /= modulo(mine%first(1) - 1, cells(1)))) print *, 'FAIL ghost points'
    call channel_traffic(halo, channel_exchange_pressure, traffic)
    if (timed .neqv. traffic%pack_seconds + traffic%wait_seconds + traffic%unpack_seconds > 0) print *, 'FAIL the clock'
  end subroutine

  ! What the handle says of itself.
  subroutine says(words)
    character(*), intent(in) :: words

    if (index(channel_describe(halo), words) == 0) print *, 'FAIL no "', words, '" in ', channel_describe(halo)
  end subroutine

  subroutine refuse()
    call hx_set_option(options, 'deadline', '5', ierr)
    call expect(hx_err_argument, 'hx_set_option: no option "deadline" is a word; these are: transport, schedule, device_messages')
    call hx_set_option(options, 'schedule', repeat('x', 40), ierr)
    call expect(hx_err_limit, 'hx_set_option: schedule has 40 characters, and at most 31 fit')
    call hx_set_option(options, 'tune_file', repeat('x', 1024), ierr)
    call expect(hx_err_limit, 'hx_set_option: tune_file has 1024 characters, and at most 1023 fit')
    call hx_set_option(options, 'transport', 'pigeon')
    call channel_create(MPI_COMM_WORLD, channel_shape_dense(mine), halo, options, ierr)
    if (ierr == hx_ok .or. index(hx_last_error(), 'pigeon') == 0) print *, 'FAIL ', hx_last_error()
  end subroutine

  subroutine expect(status, words)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: words

    if (ierr /= status .or. index(hx_last_error(), words) /= 1) print *, 'FAIL ', ierr, hx_last_error()
  end subroutine

end program
