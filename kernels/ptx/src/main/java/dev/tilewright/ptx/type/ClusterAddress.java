package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B32;

/** {@code [base+offset]} in the shared memory of some CTA of the cluster, as {@code mapa} returns it. */
public record ClusterAddress(Reg<B32> base, int offset) implements Address.InRegister {
    public static ClusterAddress of(Reg<B32> base) {
        return new ClusterAddress(base, 0);
    }

    public ClusterAddress plus(int bytes) {
        return new ClusterAddress(base, Math.addExact(offset, bytes));
    }

    @Override
    public StateSpace space() {
        return StateSpace.SHARED_CLUSTER;
    }
}
