/**
 * The service as a process: one for each home folder, a file that says where it listens, and its local worker as a
 * child. Comes in: settings, and the port that was found. Goes out: the file, the child, an exit. Must not know any
 * feature.
 */
@NullMarked
package dev.tilewright.api.platform.process;

import org.jspecify.annotations.NullMarked;
