# Install rules. Components: `development` (library, headers, files of find_package and pkg-config),
# `programs` (fracas, its benchmarks if they are built, the man page), `documentation` (with the licence).
include(CMakePackageConfigHelpers)

# One version in three places; the header is what users compile against.
file(STRINGS ${PROJECT_SOURCE_DIR}/include/fracas/base.h lines REGEX "#define FRACAS_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9]+([0-9]+)" ".\\1" header_version "${lines}")
if(NOT header_version STREQUAL ".${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.${PROJECT_VERSION_PATCH}")
    message(FATAL_ERROR "include/fracas/base.h says version ${header_version}, CMakeLists.txt ${PROJECT_VERSION}")
endif()

# The shared library is made of the objects of the static one: they are position independent and
# hide what is not FRACAS_API.
set(library fracas)
if(FRACAS_SHARED)
    set(library fracas_shared)
    add_library(fracas_shared SHARED $<TARGET_OBJECTS:fracas>)
    target_include_directories(fracas_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(fracas_shared PRIVATE $<BUILD_INTERFACE:fracas_flags> Threads::Threads ${FRACAS_LIBRARIES})
    set_target_properties(fracas_shared PROPERTIES OUTPUT_NAME fracas EXPORT_NAME fracas LINKER_LANGUAGE C
                          VERSION ${PROJECT_VERSION} SOVERSION ${FRACAS_SOVERSION})
endif()
install(TARGETS ${library} EXPORT fracas-targets COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development NAMELINK_COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fracas DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN cuda.h EXCLUDE)
# find_package(fracas)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/fracas)
# Users of a static libfracas-cuda link the CUDA runtime. Not set: there is none, or it is emulated.
get_property(cuda_runtime GLOBAL PROPERTY FRACAS_CUDA_RUNTIME)
set(FRACAS_CUDA_STATIC OFF)
if(cuda_runtime AND NOT FRACAS_SHARED)
    set(FRACAS_CUDA_STATIC ON)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/fracas-config.cmake.in
                              ${PROJECT_BINARY_DIR}/fracas-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fracas-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT fracas-targets NAMESPACE fracas:: DESTINATION ${package_folder} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/fracas-config.cmake ${PROJECT_BINARY_DIR}/fracas-config-version.cmake
        DESTINATION ${package_folder} COMPONENT development)

# libfracas-cuda, a component of the package: find_package(fracas COMPONENTS cuda), fracas-cuda.pc.
if(TARGET fracas_cuda)
    set(cuda_library fracas_cuda)
    if(FRACAS_SHARED)
        set(cuda_library fracas_cuda_shared)
        fracas_cuda_shared(fracas_cuda_shared)
        target_include_directories(fracas_cuda_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        set_target_properties(fracas_cuda_shared PROPERTIES EXPORT_NAME cuda VERSION ${PROJECT_VERSION}
                              SOVERSION ${FRACAS_SOVERSION})
    endif()
    install(TARGETS ${cuda_library} EXPORT fracas-cuda-targets COMPONENT development
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development NAMELINK_COMPONENT development
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
    install(EXPORT fracas-cuda-targets NAMESPACE fracas:: DESTINATION ${package_folder} COMPONENT development)
    install(FILES ${PROJECT_SOURCE_DIR}/include/fracas/cuda.h COMPONENT development
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fracas)
endif()

# pkg-config. A static library needs its own libraries named to every user, a shared one does not.
# The prefix is relative to the file, so that an installed copy can be moved.
list(TRANSFORM FRACAS_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE libraries)
list(JOIN libraries " " libraries)
set(FRACAS_PC_LIBS "-L\${libdir} -lfracas")
set(FRACAS_PC_LIBS_PRIVATE "")
if(FRACAS_SHARED)
    set(FRACAS_PC_LIBS_PRIVATE "${libraries} -pthread")
else()
    string(APPEND FRACAS_PC_LIBS " ${libraries} -pthread")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(FRACAS_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
    set(FRACAS_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
    set(FRACAS_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
    file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
    string(REGEX REPLACE "/$" "" up "${up}")
    set(FRACAS_PC_PREFIX "\${pcfiledir}/${up}")
    set(FRACAS_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(FRACAS_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/fracas.pc.in ${PROJECT_BINARY_DIR}/fracas.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/fracas.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(TARGET fracas_cuda)
    set(FRACAS_CUDA_PC_REQUIRES "fracas = ${PROJECT_VERSION}")
    set(FRACAS_CUDA_PC_LIBS "-L\${libdir} -lfracas-cuda")
    if(FRACAS_SHARED)
        set(FRACAS_CUDA_PC_REQUIRES "")  # libfracas-cuda contains libfracas
    elseif(FRACAS_CUDA_STATIC)
        string(APPEND FRACAS_CUDA_PC_LIBS " -L${cuda_runtime} -lcudart_static -lstdc++ -ldl -lrt")
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/fracas-cuda.pc.in ${PROJECT_BINARY_DIR}/fracas-cuda.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/fracas-cuda.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
            COMPONENT development)
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()

# The programs. `fracas bench NAME` looks for fracas-bench-NAME in ../libexec/fracas.
install(TARGETS fracas-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/completions/fracas.bash RENAME fracas
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/completions/_fracas DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
        COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/docs/fracas.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT programs)
if(FRACAS_BENCHMARKS)
    get_property(benchmarks DIRECTORY ${PROJECT_SOURCE_DIR}/bench PROPERTY BUILDSYSTEM_TARGETS)
    list(FILTER benchmarks INCLUDE REGEX "^fracas-bench-")
    install(TARGETS ${benchmarks} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/fracas COMPONENT programs)
endif()

# The documentation, in the same folders as in the repository: links between the pages work.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.bib" PATTERN "*.[ch]" PATTERN "*.obj")
