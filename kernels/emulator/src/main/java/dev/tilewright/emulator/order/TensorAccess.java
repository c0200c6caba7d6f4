package dev.tilewright.emulator.order;

/** One tcgen05 instruction's access to tensor memory. */
public final class TensorAccess {
    /** The kind of instruction that makes the access. */
    enum Kind {
        LOAD,
        STORE,
        MULTIPLY,
        COPY;

        /** Whether it is a warp's, done with tcgen05.wait. */
        boolean isMove() {
            return this == LOAD || this == STORE;
        }
    }

    private final Kind kind;
    private final Access access;
    private final Agent weaker;
    private final long pipeline;

    /**
     * An access.
     *
     * @param access by the agent that stands for all order that other threads need
     * @param weaker counts the same accesses: of a warp's loads and stores those that are over, of a thread's work what
     *     is issued
     * @param pipeline of multiplications: the same for one shape and the same accumulators
     */
    TensorAccess(Kind kind, Access access, Agent weaker, long pipeline) {
        this.kind = kind;
        this.access = access;
        this.weaker = weaker;
        this.pipeline = pipeline;
    }

    Kind kind() {
        return kind;
    }

    /** The access of the same instruction to shared memory. */
    public Access access() {
        return access;
    }

    Agent weaker() {
        return weaker;
    }

    /** Whether it is of the same thread, and the tensor core does it behind the other: the usual case. */
    boolean followsOwn(TensorAccess other) {
        return access.agent == other.access.agent && follows(other);
    }

    /** Whether the tensor core does this one behind the other, once they are issued in that order. PTX 9.7.16.6.2. */
    boolean follows(TensorAccess other) {
        return kind == Kind.MULTIPLY
                && (other.kind == Kind.COPY || other.kind == Kind.MULTIPLY && other.pipeline == pipeline);
    }
}
