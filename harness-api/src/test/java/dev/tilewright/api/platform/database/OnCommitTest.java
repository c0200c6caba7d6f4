package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class OnCommitTest {

    @BeforeEach
    void begin() {
        TransactionSynchronizationManager.initSynchronization();
    }

    @AfterEach
    void end() {
        TransactionSynchronizationManager.clearSynchronization();
    }

    /** The worker would send its report again, and the files of the kernels would not be stored. */
    @Test
    void aMeterThatFailsDoesNotMakeACommittedReportLookFailed() {
        int[] counted = {0};
        OnCommit.run(() -> {
            throw new IllegalStateException("the database is away");
        });
        OnCommit.run(() -> counted[0]++);
        TransactionSynchronizationManager.getSynchronizations().forEach(TransactionSynchronization::afterCommit);
        assertThat(counted[0]).isEqualTo(1);
    }
}
