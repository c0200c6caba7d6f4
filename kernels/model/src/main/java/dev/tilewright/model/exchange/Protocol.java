package dev.tilewright.model.exchange;

/**
 * The version of the protocol between worker and API: the paths of workers, their bodies, and the meaning of both. A
 * change that the other side would misunderstand increments it.
 */
public final class Protocol {

    /** The version that this build speaks. */
    public static final int VERSION = 17;

    /** The header in which a worker says what it speaks, when it registers. */
    public static final String HEADER = "Tilewright-Protocol";

    private Protocol() {}
}
