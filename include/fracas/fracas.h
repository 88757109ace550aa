/// @file fracas.h  All of Fracas.
#pragma once
#include "fracas/base.h"
#include "fracas/contact.h"
#include "fracas/elementary.h"
#include "fracas/io.h"
#include "fracas/mesh.h"
#include "fracas/scene.h"
#include "fracas/tets.h"
