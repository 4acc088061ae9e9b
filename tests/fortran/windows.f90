! Windows: put, get, accumulate and their like in every kind of epoch, memory as pointers, arrays of a handle in a window.
program windows_test
  use, intrinsic :: iso_c_binding
  use hx
  use hx_windows
  use channel
  use oracle
  implicit none
  include 'mpif.h'

  type(hx_window) :: window
  type(hx_window_request) :: request
  type(hx_window_facts) :: facts
  integer :: rank, ranks, next, before, code
  integer(c_int) :: ierr

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  next = modulo(rank + 1, ranks)
  before = modulo(rank - 1, ranks)

  request%memory = hx_window_private
  request%element = 8
  request%extent(1) = 6
  call hx_window_create(MPI_COMM_WORLD, request, window, 'numbers')
  call query()
  call fences()
  call posts()
  call locks()
  call tickets()
  call refuse()
  call hx_window_free(window)
  call hx_window_free(window)

  call shared()
  call parts()
  call dynamic()
  call user()
  call registered()
  call MPI_Finalize(code)

contains

  subroutine query()
    call hx_window_query(window, facts)
    if (facts%memory /= hx_window_private .or. facts%element /= 8 .or. facts%axes /= 1 .or. facts%extent(1) /= 6 &
        .or. facts%elements /= 6 .or. facts%bytes /= 48 .or. facts%node_ranks /= ranks .or. facts%node_rank /= rank) &
      print *, 'FAIL facts', facts%memory, facts%element, facts%axes, facts%extent, facts%elements, facts%bytes
    if (hx_window_why(facts) /= '') print *, 'FAIL why: ', hx_window_why(facts)
  end subroutine

  ! This rank's memory, with other bounds than 1.
  subroutine mine(a)
    real(c_double), pointer, intent(out) :: a(:)

    call hx_window_pointer(window, rank, a, lower=[0])
    if (lbound(a, 1) /= 0 .or. ubound(a, 1) /= 5) print *, 'FAIL bounds', lbound(a), ubound(a)
  end subroutine

  ! Everybody puts its number into the next rank's memory, and gets what the one before has.
  subroutine fences()
    real(c_double), pointer :: a(:)
    real(c_double), asynchronous :: number(2), other(2)

    call mine(a)
    a = -1
    a(3) = 100 + rank
    a(4) = 200 + rank
    number = [rank, 10 * rank]
    call hx_window_fence(window, hx_window_peers)
    call hx_window_put(window, number, hx_window_part(target=next, at=2))
    call hx_window_get(window, other, hx_window_part(target=before, at=4))
    call hx_window_fence(window, hx_window_peers, MPI_MODE_NOSUCCEED)
    call same('put', a, [-1, before, 10 * before, 100 + rank, 200 + rank, -1])
    call same('get', other, [100 + before, 200 + before])
  end subroutine

  subroutine posts()
    real(c_double), pointer :: a(:)
    real(c_double), asynchronous :: number
    logical :: done

    call mine(a)
    a = 0
    number = rank + 1
    call hx_window_post(window, hx_window_peers, [before])
    call hx_window_start(window, hx_window_peers, [next])
    call hx_window_accumulate(window, number, hx_window_part(target=next, at=6), MPI_DOUBLE_PRECISION, MPI_SUM)
    call hx_window_complete(window, hx_window_peers)
    if (rank == 0) then
      done = .false.
      do while (.not. done)
        call hx_window_test(window, hx_window_peers, done)
      end do
    else
      call hx_window_wait(window, hx_window_peers)
    end if
    call same('accumulate', a, [0, 0, 0, 0, 0, before + 1])
  end subroutine

  subroutine locks()
    real(c_double), pointer :: a(:)
    real(c_double), asynchronous :: number(1), old(1), other(3)
    integer :: sent

    call mine(a)
    a = 7
    call MPI_Barrier(MPI_COMM_WORLD, code)
    number = 3
    call hx_window_lock(window, hx_window_peers, next, exclusive=.true.)
    call hx_window_put(window, number, hx_window_part(target=next, at=1), sent)
    call MPI_Wait(sent, MPI_STATUS_IGNORE, code)
    call hx_window_flush(window, hx_window_peers, next)
    call hx_window_get_accumulate(window, number, old, hx_window_part(target=next, at=1), MPI_DOUBLE_PRECISION, MPI_SUM)
    call hx_window_unlock(window, hx_window_peers, next)
    call same('get_accumulate', old, [3])
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call hx_window_lock_all(window, hx_window_peers)
    call hx_window_get(window, other, hx_window_part(target=before, at=1))
    call hx_window_flush_local(window, hx_window_peers, hx_window_all)
    call hx_window_flush(window, hx_window_peers, hx_window_all)
    call hx_window_unlock_all(window, hx_window_peers)
    call same('lock_all', other, [6, 7, 7])
    call MPI_Barrier(MPI_COMM_WORLD, code)
  end subroutine

  ! Each rank takes a number of its own.
  subroutine tickets()
    integer(c_int64_t), asynchronous :: one, ticket
    integer(c_int64_t), pointer :: counter(:)
    integer(c_int64_t) :: mine, all(0:ranks - 1)
    integer :: r

    call hx_window_pointer(window, rank, counter)
    counter(1) = 0
    one = 1
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call hx_window_lock_all(window, hx_window_peers)
    call hx_window_fetch_and_op(window, one, ticket, hx_window_part(target=0, count=1), MPI_INTEGER8, MPI_SUM)
    call hx_window_unlock_all(window, hx_window_peers)
    mine = ticket
    call MPI_Allgather(mine, 1, MPI_INTEGER8, all, 1, MPI_INTEGER8, MPI_COMM_WORLD, code)
    do r = 0, ranks - 1
      if (count(all == r) /= 1) print *, 'FAIL tickets', all
    end do
  end subroutine

  ! One buffer for all ranks of the node, as an array of two dimensions.
  subroutine shared()
    type(hx_window) :: node
    integer(c_int), pointer :: all(:,:)

    request = hx_window_request(memory=hx_window_parts, ways=hx_window_node, element=4, axes=2)
    request%memory = hx_window_shared
    request%extent(1:2) = [3, ranks]
    call hx_window_create(MPI_COMM_WORLD, request, node)
    call hx_window_pointer(node, 0, all, lower=[1, 0])
    if (any(lbound(all) /= [1, 0]) .or. any(ubound(all) /= [3, ranks - 1])) print *, 'FAIL bounds', lbound(all), ubound(all)
    call hx_window_lock_all(node, hx_window_node)
    all(:, rank) = 10 * rank + [1, 2, 3]
    call hx_window_sync(node, hx_window_node)
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call hx_window_sync(node, hx_window_node)
    if (any(all(:, next) /= 10 * next + [1, 2, 3])) print *, 'FAIL shared', all(:, next)
    call hx_window_unlock_all(node, hx_window_node)
    call hx_window_free(node)
  end subroutine

  ! A part of the node's buffer for each rank, of other lengths; only its own has known extents.
  subroutine parts()
    type(hx_window) :: node
    real(c_float), pointer :: own(:,:), other(:)
    type(c_ptr) :: memory
    integer(c_int64_t) :: elements

    request = hx_window_request(memory=hx_window_parts, ways=hx_window_node, element=4, axes=2)
    request%extent(1:2) = [2, rank + 1]
    call hx_window_create(MPI_COMM_WORLD, request, node)
    call hx_window_pointer(node, rank, own)
    call hx_window_pointer(node, next, other)
    call hx_window_pointer(node, next, memory, elements)
    if (any(shape(own) /= [2, rank + 1]) .or. size(other) /= 2 * (next + 1) .or. elements /= size(other)) &
      print *, 'FAIL parts', shape(own), size(other), elements
    if (.not. c_associated(memory, c_loc(other(1)))) print *, 'FAIL the address of a part'
    if (ranks > 1) then
      call hx_window_pointer(node, next, own, ierr=ierr)
      call expect(hx_err_argument, 'the window''s extents on that rank are not known here')
    end if
    call hx_window_free(node)
  end subroutine

  ! Memory that is attached later, and found by its address.
  subroutine dynamic()
    type(hx_window) :: any_memory
    real(c_double), target, asynchronous :: a(3)
    real(c_double), asynchronous :: number
    integer(c_int64_t) :: address, all(0:ranks - 1)

    request = hx_window_request(memory=hx_window_dynamic, element=8, axes=0)
    call hx_window_create(MPI_COMM_WORLD, request, any_memory)
    a = 0
    number = rank
    call hx_window_attach(any_memory, a)
    address = hx_window_address(a)
    call MPI_Allgather(address, 1, MPI_INTEGER8, all, 1, MPI_INTEGER8, MPI_COMM_WORLD, code)
    call hx_window_fence(any_memory, hx_window_peers)
    call hx_window_put(any_memory, number, hx_window_part(target=next, at=all(next) + 8))
    call hx_window_fence(any_memory, hx_window_peers)
    call same('attached memory', a, [0, before, 0])
    call hx_window_detach(any_memory, a)
    call hx_window_free(any_memory)
  end subroutine

  ! Memory of the program.
  subroutine user()
    type(hx_window) :: own
    real(c_double), target, asynchronous :: a(4)
    real(c_double), asynchronous :: number(4)

    request = hx_window_request(memory=hx_window_user, element=8, base=c_loc(a))
    request%extent(1) = 4
    call hx_window_create(MPI_COMM_WORLD, request, own)
    a = rank
    call hx_window_fence(own, hx_window_peers)
    call hx_window_get(own, number, hx_window_part(target=next))
    call hx_window_fence(own, hx_window_peers)
    call same('memory of the program', number, [next, next, next, next])
    call hx_window_free(own)
  end subroutine

  ! Arrays of a handle in a window: exchanges are right, and the window stays until it is unregistered.
  subroutine registered()
    type(hx_window) :: node
    type(hx_part) :: part
    type(channel_shape) :: shape
    type(channel_halo) :: halo
    type(block_of) :: block
    type(layout) :: p_layout
    real(c_float), pointer :: p(:,:,:)
    real(c_double), allocatable :: values(:,:,:)

    call hx_decompose(MPI_COMM_WORLD, channel_partition(cells(1), cells(2), cells(3)), part)
    shape = channel_shape_dense(part)
    call channel_create(MPI_COMM_WORLD, shape, halo)
    request = hx_window_request(memory=hx_window_parts, ways=hx_window_node, element=4, axes=3)
    request%extent(1:3) = part%n(1:3) + 2
    call hx_window_create(MPI_COMM_WORLD, request, node, 'pressure')
    call hx_window_pointer(node, rank, p, lower=[0, 0, 0])
    call channel_register(halo, node)
    block = block_of(part%first(1:3), part%n(1:3))
    values = holds(p_layout, block, owned)
    p = real(values, c_float)
    call channel_pressure(halo, p)
    call report('an array in a window', real(p, c_double), holds(p_layout, block, star))
    call hx_window_free(node, ierr)
    call expect(hx_err_state, 'pressure')
    call channel_unregister(halo, node)
    call hx_window_free(node)
    call channel_register(halo, node, ierr)
    call expect(hx_err_argument, 'null')
    call channel_destroy(halo)
    call channel_register(halo, node, ierr)
    call expect(hx_err_state, 'channel_register: halo was not created, or was destroyed')
    call channel_unregister(halo, node, ierr)
    call expect(hx_err_state, 'channel_unregister: halo was not created, or was destroyed')
  end subroutine

  subroutine refuse()
    real(c_double), asynchronous :: number(4)
    real(c_float), pointer :: single(:)
    real(c_double), pointer :: a(:,:)
    type(hx_window) :: freed

    call hx_window_create(MPI_COMM_WORLD, request, window, ierr=ierr)
    call expect(hx_err_state, 'hx_window_create: window is in use; free it first')
    call hx_window_pointer(window, rank, single, ierr=ierr)
    call expect(hx_err_argument, 'elements of the window have 8 bytes, those of the array have 4; set element in the request')
    call hx_window_pointer(window, rank, a, ierr=ierr)
    call expect(hx_err_argument, 'the array has rank 2, and the window''s extents are of another one')
    call hx_window_put(window, number, hx_window_part(target=0, count=5), ierr=ierr)
    call expect(hx_err_argument, 'hx_window_put: from has 32 bytes; a part of 5 elements of 8 bytes needs 40')
    call hx_window_put(window, number, hx_window_part(target=0, count=2_c_int64_t**61 + 1), ierr=ierr)   ! 8 bytes, modulo 2**64
    call expect(hx_err_argument, 'a part of 2305843009213693953 elements of 8 bytes needs 18446744073709551615')
    call hx_window_put(window, number(1:4:2), hx_window_part(target=0), ierr=ierr)
    call expect(hx_err_argument, 'hx_window_put: from has gaps; give an array without')
    call hx_window_put(window, number, hx_window_part(target=0, at=5), ierr=ierr)
    call expect(hx_err_argument, '4 elements from element 5 of target 0')
    call hx_window_put(window, number, hx_window_part(target=0), number(1), ierr)
    call expect(hx_err_argument, 'hx_window_put: request must be an integer of MPI''s kind or a type(MPI_Request)')
    call hx_window_put(freed, number, hx_window_part(target=0), ierr=ierr)
    call expect(hx_err_argument, 'The window given to hx_window_put is a null pointer')
    call hx_window_lock(window, hx_window_peers, ranks, exclusive=.false., ierr=ierr)
    call expect(hx_err_argument, 'target')
  end subroutine

  subroutine same(what, found, expected)
    character(*), intent(in) :: what
    real(c_double), intent(in) :: found(:)
    integer, intent(in) :: expected(:)

    if (any(nint(found) /= expected)) print *, 'FAIL ', what, ':', found, 'and not', expected
  end subroutine

  subroutine expect(status, words)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: words

    if (ierr == status .and. index(hx_last_error(), words) > 0) return
    print *, 'FAIL', ierr, ': "', hx_last_error(), '", not "', words, '"'
  end subroutine

end program
