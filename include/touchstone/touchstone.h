/* SPDX-License-Identifier: MIT */
/**
 * @file touchstone.h
 * The whole public interface. Scenes: scene.h. Simulation: sim.h. Bodies in space: space.h. Measures: measure.h.
 * Smooth bodies: smooth.h; contacts between them, with derivatives: manifold.h. Errors: status.h.
 */
#pragma once

#include "touchstone/manifold.h"
#include "touchstone/map.h"
#include "touchstone/measure.h"
#include "touchstone/operators.h"
#include "touchstone/scene.h"
#include "touchstone/shape.h"
#include "touchstone/sim.h"
#include "touchstone/smooth.h"
#include "touchstone/status.h"
#include "touchstone/version.h"
