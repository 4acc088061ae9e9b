!> Air that swings up and down in a stratified atmosphere, and is mixed sideways.
!>
!> Arrays have memory bounds (ims:ime, kms:kme, jms:jme); the points to compute are those of a tile (its:ite, ...).
!> kms to kme are the levels between layers; layer k lies between the levels k and k + 1.
module dynamics
  use, intrinsic :: iso_c_binding, only: sp => c_float
  implicit none
  private
  public :: bounds, advance

  !> Memory and tile, as WRF names them.
  type :: bounds
    integer :: ims, ime, kms, kme, jms, jme
    integer :: its, ite, jts, jte
  end type bounds

  real(sp), parameter :: step = 0.3_sp, mixing = 0.05_sp

contains

  !> One step of buoyancy b and vertical velocity w, whose ghost points are right.
  subroutine advance(b, w, g)
    type(bounds), intent(in) :: g
    real(sp), intent(inout), dimension(g%ims:g%ime, g%kms:g%kme, g%jms:g%jme) :: b, w
    real(sp), dimension(g%its:g%ite, g%kms:g%kme, g%jts:g%jte) :: mixed_b, mixed_w
    integer :: i, k, j

    do j = g%jts, g%jte
      do k = g%kms, g%kme - 1
        do i = g%its, g%ite
          mixed_b(i, k, j) = b(i, k, j) + mixing * (sum(b(i - 1:i + 1, k, j - 1:j + 1)) - 9 * b(i, k, j))
          mixed_w(i, k, j) = w(i, k, j) + mixing * (sum(w(i - 1:i + 1, k, j - 1:j + 1)) - 9 * w(i, k, j))
        end do
      end do
    end do
    do j = g%jts, g%jte
      do k = g%kms + 1, g%kme - 1   ! neither ground nor top moves
        do i = g%its, g%ite
          w(i, k, j) = mixed_w(i, k, j) + 0.5_sp * step * (mixed_b(i, k - 1, j) + mixed_b(i, k, j))
        end do
      end do
      do k = g%kms, g%kme - 1
        do i = g%its, g%ite
          b(i, k, j) = mixed_b(i, k, j) - 0.5_sp * step * (w(i, k, j) + w(i, k + 1, j))
        end do
      end do
    end do
  end subroutine advance

end module dynamics
