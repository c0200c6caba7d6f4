/**
 * What tests of the service share: a running service, its Postgres, clients, workers that follow a script, a clock that
 * can be set. Must not know: any single test.
 */
@NullMarked
package dev.tilewright.api.testing;

import org.jspecify.annotations.NullMarked;
