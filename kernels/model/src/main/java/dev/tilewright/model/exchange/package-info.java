/** What a worker and the API say to each other over REST: registration, leases, heartbeats and reports. */
@NullMarked
package dev.tilewright.model.exchange;

import org.jspecify.annotations.NullMarked;
