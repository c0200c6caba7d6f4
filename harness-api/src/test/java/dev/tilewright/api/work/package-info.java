/** The queue in virtual time: drawn workers, replicas, messages and faults, against memory and against Postgres. */
@NullMarked
package dev.tilewright.api.work;

import org.jspecify.annotations.NullMarked;
