/// @file fracas.h  Includes all public headers.
#pragma once
#include "fracas/base.h"
#include "fracas/contact.h"
#include "fracas/elementary.h"
#include "fracas/fragment.h"
#include "fracas/fragment_query.h"
#include "fracas/io.h"
#include "fracas/medial_mesh.h"
#include "fracas/mesh.h"
#include "fracas/pose.h"
#include "fracas/scene.h"
#include "fracas/tet_mesh.h"
#include "fracas/tets.h"
