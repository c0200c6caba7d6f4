package dev.tilewright.api.study.flow;

import java.time.Instant;

/** A question that was answered: what it was about, when it was put, and when it had its answer. */
record Asked(Asks.About about, Instant at, Instant answeredAt) {

    /** With what was answered. */
    record Answered<T>(Asked asked, T answer) {}
}
