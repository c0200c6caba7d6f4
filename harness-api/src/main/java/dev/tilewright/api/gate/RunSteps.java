package dev.tilewright.api.gate;

import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Writes steps of runs: each is one short transaction. */
@Component
record RunSteps(TransactionTemplate transactions) {

    private static final Logger LOG = LoggerFactory.getLogger(RunSteps.class);

    /**
     * Writes what was decided on, if it still holds.
     *
     * @param take holds the run until the transaction ends; false if it is not what was decided on any more
     * @return whether it was written
     */
    boolean write(BooleanSupplier take, Runnable write) {
        Boolean done = transactions.execute(status -> {
            boolean still = take.getAsBoolean();
            if (still) {
                write.run();
            }
            return still;
        });
        return Boolean.TRUE.equals(done);
    }

    /** Ends what cannot be moved on. */
    void giveUp(UUID id, Runnable end) {
        try {
            transactions.executeWithoutResult(status -> end.run());
        } catch (RuntimeException hopeless) {
            LOG.error("gate run {} could not be ended", id, hopeless);
        }
    }
}
