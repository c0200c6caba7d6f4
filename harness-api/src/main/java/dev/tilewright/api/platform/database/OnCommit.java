package dev.tilewright.api.platform.database;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Counts what was committed: of a transaction that fails and is repeated, the repetition counts. */
public final class OnCommit {

    private static final Logger LOG = LoggerFactory.getLogger(OnCommit.class);

    private OnCommit() {}

    /**
     * Counts when the transaction at hand is committed, and at once where there is none. A count that fails does not
     * make the transaction look failed.
     */
    public static void run(Runnable count) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            count.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                try {
                    count.run();
                } catch (RuntimeException uncounted) {
                    LOG.warn("a change was stored, but not counted", uncounted);
                }
            }
        });
    }
}
