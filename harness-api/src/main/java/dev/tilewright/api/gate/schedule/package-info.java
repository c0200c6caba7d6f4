/**
 * Gates that run by themselves. Comes in: when, and what is asked then. Goes out: runs, submitted as anybody's. Must
 * not know what becomes of a run.
 */
@NullMarked
package dev.tilewright.api.gate.schedule;

import org.jspecify.annotations.NullMarked;
