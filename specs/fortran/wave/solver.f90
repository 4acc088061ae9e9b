!> Linear sound waves in a box that is 1 x 1 x 1/2 wide, with density and speed of sound 1:
!>
!>     dp/dt = -(du/dx + dv/dy + dw/dz)      du/dt = -dp/dx      dv/dt = -dp/dy      dw/dt = -dp/dz
!>
!> Pressure sits in the middle of the cells, each velocity on their low faces, half a time step later.  Leapfrog in
!> time (second order), four-point slopes in space (fourth order).  The same as specs/wave/solver.c, and the same bits.
module solver
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use mpi_f08, only: MPI_Comm
  use hx
  use wave
  implicit none
  private
  public :: room, solver_create, solver_step, solver_destroy

  real(dp), parameter, public :: extent(3) = [1.0_dp, 1.0_dp, 0.5_dp]

  !> The block of this rank: cells 1 to n along each axis, and ghost points around them.
  type :: room
    type(hx_part) :: part
    integer :: n(3)
    type(wave_halo) :: halo
    real(dp), allocatable, dimension(:, :, :) :: p, u, v, w
    real(dp) :: spacing(3), time_step
    real(dp) :: time = 0   ! of the pressure
  end type room

  !> Cells lo <= (i, j, k) <= hi of the block.
  type :: cells
    integer :: lo(3), hi(3)
  end type cells

  abstract interface
    subroutine update(s, c)
      import :: room, cells
      type(room), intent(inout) :: s
      type(cells), intent(in) :: c
    end subroutine update
  end interface

contains

  !> Collective over comm, like the others.  courant is the time step over the smallest spacing; steps are stable up to 0.49.
  subroutine solver_create(s, comm, grid, courant)
    type(room), intent(out) :: s
    type(MPI_Comm), intent(in) :: comm
    type(hx_partition), intent(in) :: grid
    real(dp), intent(in) :: courant

    call hx_decompose(comm, grid, s%part)
    call wave_create(comm, wave_shape_dense(s%part), s%halo)

    s%n = s%part%n(1:3)
    s%spacing = extent / s%part%partition%cells(1:3)
    s%time_step = courant * minval(s%spacing)
    associate (n => s%n)
      allocate (s%p(-1:n(1) + 1, -1:n(2) + 1, -1:n(3) + 1), source=0.0_dp)   ! two ghost points below, one above
      allocate (s%u(0:n(1) + 2, n(2), n(3)), source=0.0_dp)                  ! one below, two above, along x only
      allocate (s%v(n(1), 0:n(2) + 2, n(3)), source=0.0_dp)
      allocate (s%w(n(1), n(2), 0:n(3) + 2), source=0.0_dp)
    end associate
  end subroutine solver_create

  !> While halos travel, the cells that need none are updated; then the rest.
  subroutine solver_step(s)
    type(room), intent(inout) :: s
    type(cells) :: inner

    inner = inner_cells(s, 1, 2)
    call wave_velocity_start(s%halo, s%u, s%v, s%w)
    call update_pressure(s, inner)
    call wave_velocity_finish(s%halo, s%u, s%v, s%w)
    call mirror_velocity(s)
    call update_around(s, update_pressure, inner)

    inner = inner_cells(s, 2, 1)
    call wave_pressure_start(s%halo, s%p)
    call update_velocity(s, inner)
    call wave_pressure_finish(s%halo, s%p)
    call mirror_pressure(s)
    call update_around(s, update_velocity, inner)

    s%time = s%time + s%time_step
  end subroutine solver_step

  subroutine solver_destroy(s)
    type(room), intent(inout) :: s

    call wave_destroy(s%halo)
  end subroutine solver_destroy

  !> 24 h times the slope midway between b and c, where a, b, c, d are neighbors.
  elemental real(dp) function slope(a, b, c, d)
    real(dp), intent(in) :: a, b, c, d

    slope = 27.0_dp * (c - b) - (d - a)
  end function slope

  subroutine update_velocity(s, c)
    type(room), intent(inout) :: s
    type(cells), intent(in) :: c
    real(dp) :: f(3)
    integer :: i, j, k

    f = s%time_step / (24.0_dp * s%spacing)
    associate (p => s%p, u => s%u, v => s%v, w => s%w)
      do k = c%lo(3), c%hi(3)
        do j = c%lo(2), c%hi(2)
          do i = c%lo(1), c%hi(1)
            u(i, j, k) = u(i, j, k) - f(1) * slope(p(i - 2, j, k), p(i - 1, j, k), p(i, j, k), p(i + 1, j, k))
            v(i, j, k) = v(i, j, k) - f(2) * slope(p(i, j - 2, k), p(i, j - 1, k), p(i, j, k), p(i, j + 1, k))
            w(i, j, k) = w(i, j, k) - f(3) * slope(p(i, j, k - 2), p(i, j, k - 1), p(i, j, k), p(i, j, k + 1))
          end do
        end do
      end do
    end associate
  end subroutine update_velocity

  subroutine update_pressure(s, c)
    type(room), intent(inout) :: s
    type(cells), intent(in) :: c
    real(dp) :: f(3)
    integer :: i, j, k

    f = s%time_step / (24.0_dp * s%spacing)
    associate (p => s%p, u => s%u, v => s%v, w => s%w)
      do k = c%lo(3), c%hi(3)
        do j = c%lo(2), c%hi(2)
          do i = c%lo(1), c%hi(1)
            p(i, j, k) = p(i, j, k) - (f(1) * slope(u(i - 1, j, k), u(i, j, k), u(i + 1, j, k), u(i + 2, j, k)) &
                                       + f(2) * slope(v(i, j - 1, k), v(i, j, k), v(i, j + 1, k), v(i, j + 2, k)) &
                                       + f(3) * slope(w(i, j, k - 1), w(i, j, k), w(i, j, k + 1), w(i, j, k + 2)))
          end do
        end do
      end do
    end associate
  end subroutine update_pressure

  ! ---- walls: no exchange writes beyond them, so the halo there is ours to fill ----

  logical function at_floor(s)
    type(room), intent(in) :: s

    at_floor = s%part%first(3) == 0
  end function at_floor

  logical function at_ceiling(s)
    type(room), intent(in) :: s

    at_ceiling = s%part%first(3) + s%n(3) == s%part%partition%cells(3)
  end function at_ceiling

  !> The pressure is even about a wall.
  subroutine mirror_pressure(s)
    type(room), intent(inout) :: s

    associate (p => s%p, nx => s%n(1), ny => s%n(2), nz => s%n(3))
      if (at_floor(s)) then
        p(1:nx, 1:ny, 0) = p(1:nx, 1:ny, 1)
        p(1:nx, 1:ny, -1) = p(1:nx, 1:ny, 2)
      end if
      if (at_ceiling(s)) p(1:nx, 1:ny, nz + 1) = p(1:nx, 1:ny, nz)
    end associate
  end subroutine mirror_pressure

  !> The velocity across a wall is odd about it.  The floor is face 1; the ceiling is the first face of the halo.
  subroutine mirror_velocity(s)
    type(room), intent(inout) :: s

    associate (w => s%w, nz => s%n(3))
      if (at_floor(s)) w(:, :, 0) = -w(:, :, 2)
      if (at_ceiling(s)) then
        w(:, :, nz + 1) = 0
        w(:, :, nz + 2) = -w(:, :, nz)
      end if
    end associate
  end subroutine mirror_velocity

  ! ---- the block's cells: those that read no halo, and the others ----

  !> Cells whose stencil, reaching so far down and up along each axis, stays within the block.
  type(cells) function inner_cells(s, down, up) result(c)
    type(room), intent(in) :: s
    integer, intent(in) :: down, up

    c%lo = 1 + min(down, s%n)
    c%hi = max(s%n - up, c%lo - 1)
  end function inner_cells

  !> Updates the cells around `inner`, in six slabs.
  subroutine update_around(s, update_cells, inner)
    type(room), intent(inout) :: s
    procedure(update) :: update_cells
    type(cells), intent(in) :: inner
    type(cells) :: rest, slab
    integer :: axis

    rest = cells(lo=[1, 1, 1], hi=s%n)
    do axis = 3, 1, -1
      slab = rest
      slab%hi(axis) = inner%lo(axis) - 1
      call update_cells(s, slab)
      slab = rest
      slab%lo(axis) = inner%hi(axis) + 1
      call update_cells(s, slab)
      rest%lo(axis) = inner%lo(axis)
      rest%hi(axis) = inner%hi(axis)
    end do
  end subroutine update_around

end module solver
