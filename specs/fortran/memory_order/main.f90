!> A warm bubble on arrays (i, k, j): memory_order [NX NY NZ [STEPS]]
!>
!> Indices are those of the whole grid, as in WRF: this rank has ims:ime of ids:ide in memory and computes its:ite.
!> Every rank also computes the whole grid by itself, and compares all bits of its own part.
program main
  use, intrinsic :: iso_c_binding, only: sp => c_float, dp => c_double, int64 => c_int64_t
  use mpi_f08
  use hx
  use weather
  use arguments
  use checksum
  use dynamics
  implicit none
  integer :: rank, ide, jde, kde, steps, step, wrong
  type(hx_part) :: mine
  type(weather_halo) :: halo
  type(bounds) :: patch, whole
  real(sp), allocatable, dimension(:, :, :) :: b, w, whole_b, whole_w   ! i, k, j

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  ide = argument(1, 'NX', 30)
  jde = argument(2, 'NY', 20)
  kde = argument(3, 'NZ', 8)
  steps = argument(4, 'STEPS', 40)

  call hx_decompose(MPI_COMM_WORLD, weather_partition(ide, jde, kde), mine)
  call weather_create(MPI_COMM_WORLD, weather_shape_dense(mine), halo)
  patch = around(mine%first(1) + 1, mine%first(1) + mine%n(1), mine%first(2) + 1, mine%first(2) + mine%n(2))
  whole = around(1, ide, 1, jde)
  call make_bubble(patch, b, w)
  call make_bubble(whole, whole_b, whole_w)

  do step = 1, steps
    call weather_state(halo, b, w)
    call advance(b, w, patch)
    call wrap(whole_b)
    call wrap(whole_w)
    call advance(whole_b, whole_w, whole)
  end do

  associate (its => patch%its, ite => patch%ite, jts => patch%jts, jte => patch%jte)
    wrong = count(abs(b(its:ite, :, jts:jte) - whole_b(its:ite, :, jts:jte)) > 0) &
            + count(abs(w(its:ite, :, jts:jte) - whole_w(its:ite, :, jts:jte)) > 0)
  end associate
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) then
    print '(a, 4(i0, a))', 'memory_order: ', ide, ' x ', jde, ' x ', kde, ' cells, ', wrong, ' points differ from the serial answer'
  end if
  call print_state()
  call weather_destroy(halo)
  call MPI_Finalize()
  if (wrong > 0) error stop 'the answer is wrong'

contains

  !> A tile, and the memory around it.
  type(bounds) function around(its, ite, jts, jte) result(g)
    integer, intent(in) :: its, ite, jts, jte

    g = bounds(its - 1, ite + 1, 1, kde + 1, jts - 1, jte + 1, its, ite, jts, jte)
  end function around

  subroutine make_bubble(g, b, w)
    type(bounds), intent(in) :: g
    real(sp), allocatable, intent(out) :: b(:, :, :), w(:, :, :)
    integer :: i, k, j

    allocate (b(g%ims:g%ime, g%kms:g%kme, g%jms:g%jme), w(g%ims:g%ime, g%kms:g%kme, g%jms:g%jme))
    b = 0
    w = 0
    do j = g%jts, g%jte
      do k = g%kms, g%kme - 1
        do i = g%its, g%ite
          ! Not by exp, which in vectors of four may round otherwise than alone: every bit is compared.
          b(i, k, j) = 1 / (1 + ((i - 0.4_sp * ide)**2 + (j - 0.9_sp * jde)**2 + 4 * (k - 0.5_sp * kde)**2) / 40)
        end do
      end do
    end do
  end subroutine make_bubble

  !> The halo of the whole grid: what leaves on one side enters on the other.
  subroutine wrap(a)
    real(sp), intent(inout) :: a(0:, :, 0:)

    a(0, :, :) = a(ide, :, :)
    a(ide + 1, :, :) = a(1, :, :)
    a(:, :, 0) = a(:, :, jde)
    a(:, :, jde + 1) = a(:, :, 1)
  end subroutine wrap

  subroutine print_state()
    integer(int64) :: sum, place
    integer :: i, k, j

    sum = 0
    do j = patch%jts, patch%jte
      do k = 1, kde
        do i = patch%its, patch%ite
          place = ((int(j, int64) * (kde + 1) + k) * (ide + 1) + i) * 2
          call checksum_add(sum, real(b(i, k, j), dp), place)
          call checksum_add(sum, real(w(i, k, j), dp), place + 1)
        end do
      end do
    end do
    call checksum_print(sum, MPI_COMM_WORLD)
  end subroutine print_state

end program main
