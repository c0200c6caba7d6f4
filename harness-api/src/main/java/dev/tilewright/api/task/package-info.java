/**
 * Work for a GPU that is no part of a study: its queue, with the leases. Comes in: tasks of the features that have
 * some. Goes out: states and results. Must not know what a task is about, nor how it is done.
 */
@NullMarked
package dev.tilewright.api.task;

import org.jspecify.annotations.NullMarked;
