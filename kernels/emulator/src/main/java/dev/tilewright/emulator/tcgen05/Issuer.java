package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.order.Actor;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.emulator.warp.Warp;
import java.util.function.Supplier;

/** Lanes of a warp that give work to the tensor cores, or wait for them. */
public interface Issuer extends Actor {
    Warp warp();

    /** The instruction that they execute. */
    Origin origin();

    /** The tensor unit of their CTA. */
    TensorUnit tensorUnit();

    /** Goes to sleep; whoever holds {@link #waker} must wake it. */
    void sleep(Supplier<String> waitingFor);

    /** A callback that ends the next sleep of these lanes. */
    Runnable waker();
}
