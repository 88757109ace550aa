# Install the library so that find_package(fracas) and pkg-config find it.
