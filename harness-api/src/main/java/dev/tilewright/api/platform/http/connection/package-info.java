/**
 * Connections below HTTP: how many one address may hold, and how long a request may take to arrive. Comes in: accepted
 * sockets. Goes out: sockets that Tomcat serves, or that are closed. Must not know what is asked over them.
 */
@NullMarked
package dev.tilewright.api.platform.http.connection;

import org.jspecify.annotations.NullMarked;
