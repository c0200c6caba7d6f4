/**
 * The service as a process: one for each home folder, a file that says where it listens, and its local worker as a
 * child. Must not know any feature.
 */
@NullMarked
package dev.tilewright.api.platform.process;

import org.jspecify.annotations.NullMarked;
