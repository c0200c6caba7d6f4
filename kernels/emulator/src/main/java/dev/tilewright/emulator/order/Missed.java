package dev.tilewright.emulator.order;

/**
 * An order that synchronisation would have made, had it been as strong as needed: evidence for whoever misses it later.
 *
 * @param knowledge what would have been handed over
 * @param rule what is missing, with the instruction
 */
record Missed(Knowledge knowledge, Rule rule) {
    /** Says it for people, when asked. */
    @FunctionalInterface
    interface Rule {
        String text();
    }

    static Missed of(Knowledge knowledge, Access access, int lane, String rule) {
        return new Missed(
                knowledge,
                () -> "the " + access.manner.what() + " at " + access.site(lane) + " " + rule);
    }
}
