package dev.tilewright.model.exchange;

/**
 * What worker and API say to each other, as a number: the paths of workers, their bodies, and what both sides take them
 * to mean. Whoever changes one of them so that the other side would misunderstand it counts it up.
 */
public final class Protocol {

    /** The version that this build speaks. */
    public static final int VERSION = 15;

    /** The header in which a worker says what it speaks, when it registers. */
    public static final String HEADER = "Tilewright-Protocol";

    private Protocol() {}
}
