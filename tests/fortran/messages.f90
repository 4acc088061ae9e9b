! Messages that the program moves, and the parts of all ranks without MPI.
program messages_test
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  use oracle
  implicit none
  include 'mpif.h'

  type(hx_part) :: part, other
  type(channel_halo) :: halo
  type(hx_options) :: options
  type(hx_message_buffer), allocatable :: message(:)
  type(block_of) :: block
  type(layout) :: p_layout
  real(c_float), allocatable :: p(:,:,:)
  integer, allocatable :: request(:)
  integer(c_int) :: ierr
  integer :: rank, ranks, r, m, all, code

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)

  ! The parts of all ranks are the whole grid, and mine is what I am given with MPI.
  call hx_decompose(MPI_COMM_WORLD, channel_partition(cells(1), cells(2), cells(3)), part)
  all = 0
  do r = 0, ranks - 1
    call hx_decompose_as(r, ranks, channel_partition(cells(1), cells(2), cells(3)), other)
    all = all + product(other%n(1:3))
    if (r == rank .and. (any(other%first /= part%first) .or. any(other%n /= part%n))) print *, 'FAIL the part of', r
  end do
  if (all /= product(cells)) print *, 'FAIL parts of', all, 'cells'
  call hx_decompose_as(ranks, ranks, channel_partition(cells(1), cells(2), cells(3)), other, ierr)
  if (ierr /= hx_err_argument) print *, 'FAIL a rank that is none', ierr

  call hx_set_option(options, 'transport', 'manual')
  call channel_create(MPI_COMM_WORLD, channel_shape_dense(part), halo, options)
  block = block_of(part%first(1:3), part%n(1:3))
  p = real(holds(p_layout, block, owned), c_float)
  call channel_message_buffers(halo, channel_exchange_pressure, message)
  if (ranks > 1 .and. size(message) == 0) print *, 'FAIL no messages'
  allocate (request(size(message)))
  call channel_pressure_start(halo, p)
  do m = 1, size(message)
    if (size(message(m)%bytes) == 0) print *, 'FAIL a message without bytes'
    if (message(m)%incoming) then
      call MPI_Irecv(message(m)%bytes, size(message(m)%bytes), MPI_BYTE, message(m)%peer, 0, MPI_COMM_WORLD, request(m), code)
    else
      call MPI_Isend(message(m)%bytes, size(message(m)%bytes), MPI_BYTE, message(m)%peer, 0, MPI_COMM_WORLD, request(m), code)
    end if
  end do
  call MPI_Waitall(size(message), request, MPI_STATUSES_IGNORE, code)
  call channel_pressure_finish(halo, p)
  call report('messages that the program moved', real(p, c_double), holds(p_layout, block, star))

  call channel_message_buffers(halo, 9, message, ierr)
  if (ierr /= hx_err_argument .or. size(message) /= 0) print *, 'FAIL ', ierr, size(message), hx_last_error()
  call channel_destroy(halo)
  call channel_message_buffers(halo, channel_exchange_pressure, message, ierr)
  if (hx_last_error() /= 'channel_message_buffers: halo was not created, or was destroyed') print *, 'FAIL ', hx_last_error()
  call MPI_Finalize(code)
end program
