/**
 * The folder of this user, and the file in which a service of this machine says where it listens.
 *
 * <p>Comes in: the environment. Goes out: paths, addresses. Must not know: how a service is started.
 */
@NullMarked
package dev.tilewright.worker.link.home;

import org.jspecify.annotations.NullMarked;
