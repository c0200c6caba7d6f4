package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.range.Ranges;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.TrialDocument;
import java.io.OutputStream;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Service;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the {@link ResultDocument} that {@code GET /jobs/{id}/result} answers. Trials are read a few hundred at a
 * time, and no connection to the database is held while they are written: neither a long result nor a slow client takes
 * what others need.
 */
@Service
class JobResults {

    /** Trials that are in memory at a time. */
    private static final int CHUNK = 200;

    /** A result of more trials is a long one. */
    private static final int LONG = 1000;

    /** Long results that are written at a time: each takes a core. */
    private static final int LONG_AT_ONCE = 4;

    /**
     * The trials of each study that a result contains.
     *
     * @param from ordinal of the first
     * @param most how many at most
     */
    record Extent(int from, int most) {

        /** Of a study with so many. */
        int of(int trials) {
            return Math.min(most, Math.max(0, trials - from));
        }
    }

    private final JobService jobs;
    private final StudyRepository studies;
    private final Ranges ranges;
    private final StudyService documents;
    private final JsonMapper mapper;
    private final Semaphore longOnes = new Semaphore(LONG_AT_ONCE);

    JobResults(JobService jobs, StudyRepository studies, Ranges ranges, StudyService documents, JsonMapper mapper) {
        this.jobs = jobs;
        this.studies = studies;
        this.ranges = ranges;
        this.documents = documents;
        this.mapper = mapper;
    }

    /** A result that is ready to be written; it must be closed. */
    interface Result extends AutoCloseable {

        void writeTo(OutputStream out);

        @Override
        void close();
    }

    /**
     * The result so far.
     *
     * @throws ApiProblem 404 if there is no such job, 503 if it is a long one and too many of these are being written
     */
    Result of(UUID id, Extent extent) {
        JobRow job = jobs.row(id);
        List<StudyRepository.Line> lines = studies.lines(List.of(id));
        long trials = lines.stream()
                .mapToLong(line -> extent.of(line.tally().asked() + line.tally().recorded()))
                .sum();
        int permits = trials > LONG ? 1 : 0;
        if (!longOnes.tryAcquire(permits)) {
            throw new ApiProblem(
                    ProblemType.BUSY,
                    LONG_AT_ONCE + " results of more than " + LONG + " trials are being written; this one has " + trials
                            + ": ask later, or for fewer by ?trials=");
        }
        return new Result() {
            @Override
            public void writeTo(OutputStream out) {
                JsonGenerator json = mapper.writer()
                        .without(StreamWriteFeature.AUTO_CLOSE_CONTENT)
                        .createGenerator(out);
                write(json, job, lines, extent);
                // Not where it failed: what was begun stays open, so that nobody takes it for the whole.
                json.close();
            }

            @Override
            public void close() {
                longOnes.release(permits);
            }
        };
    }

    private void write(JsonGenerator json, JobRow job, List<StudyRepository.Line> lines, Extent extent) {
        json.writeStartObject();
        json.writeNumberProperty("schemaVersion", ResultDocument.SCHEMA_VERSION);
        json.writePOJOProperty("job", job.line());
        json.writePOJOProperty("ranges", ranges.documents(List.of(job.id())).getOrDefault(job.id(), List.of()));
        json.writeArrayPropertyStart("studies");
        for (StudyRepository.Line line : lines) {
            json.writeStartObject();
            mapper.valueToTree(documents.study(line.id()))
                    .properties()
                    .forEach(property -> json.writePOJOProperty(property.getKey(), property.getValue()));
            json.writeArrayPropertyStart("trials");
            writeTrials(json, line.id(), extent);
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeTrials(JsonGenerator json, UUID studyId, Extent extent) {
        int from = extent.from();
        int left = extent.most();
        while (left > 0) {
            int asked = Math.min(CHUNK, left);
            List<TrialDocument> chunk = documents.trials(studyId, from, asked);
            chunk.forEach(json::writePOJO);
            if (chunk.size() < asked) {
                return;
            }
            left -= asked;
            from = chunk.getLast().ordinal() + 1;
        }
    }
}
