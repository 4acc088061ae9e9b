"""halogen behind the interfaces of other packages.

    ndsl      halo updaters of NDSL
    icon4py   the exchange of icon4py

None of them imports the package whose interface it has.
"""
