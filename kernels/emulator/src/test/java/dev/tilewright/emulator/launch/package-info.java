/** Cluster launch control: who runs which cluster's work. */
@NullMarked
package dev.tilewright.emulator.launch;

import org.jspecify.annotations.NullMarked;
