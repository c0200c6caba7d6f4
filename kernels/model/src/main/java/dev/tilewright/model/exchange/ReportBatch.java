package dev.tilewright.model.exchange;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Reports that a worker sends together. Each is taken or refused by itself, and the same batch again changes nothing.
 *
 * @param reports from 1 to {@value #MAX_REPORTS}, the oldest first
 */
public record ReportBatch(List<LeaseReport> reports) {

    /** The most reports that a batch may have. */
    public static final int MAX_REPORTS = 64;

    /**
     * What came of one lease.
     *
     * @param leaseId of the lease
     * @param report what came of it
     */
    public record LeaseReport(UUID leaseId, Report report) {}

    /**
     * Answer to a batch.
     *
     * @param refused reports that were not taken, and that will not be taken if they are sent again
     */
    public record Receipt(List<RefusedReport> refused) {}

    /**
     * Why a report was not taken: a problem document that names the lease.
     *
     * @param type names the kind of problem, as a URI
     * @param status 404 for an unknown lease, 409 for one that was lost, 422 for a report that makes no sense
     * @param errors every single fault; empty if there is none to name
     */
    public record RefusedReport(
            UUID leaseId, String type, String title, int status, String detail, List<ReportFault> errors) {

        /** One line that says it all; of one fault alone the detail does. */
        public String line() {
            return errors.size() < 2
                    ? detail
                    : errors.stream().map(ReportFault::toString).collect(Collectors.joining("; ", detail + ": ", ""));
        }
    }

    /**
     * One thing that is wrong with a report.
     *
     * @param pointer JSON pointer into the report
     * @param detail the value and the rule
     */
    public record ReportFault(String pointer, String detail) {

        @Override
        public String toString() {
            return pointer + ": " + detail;
        }
    }
}
