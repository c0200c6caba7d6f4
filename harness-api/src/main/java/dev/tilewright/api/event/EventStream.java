package dev.tilewright.api.event;

import dev.tilewright.api.platform.database.Channel;
import dev.tilewright.api.platform.database.Notifications;
import dev.tilewright.api.platform.database.Subscription;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Streams the events of a job. Each listener has a virtual thread that reads them from Postgres when Postgres notifies
 * new ones, so that it sees the events of every replica of the service.
 */
@Service
public class EventStream {

    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    /** Between two looks, however fast events come. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);
    private static final int BATCH = 200;
    private static final int LISTENERS = 256;

    private final EventLog events;
    private final Notifications notifications;
    private final Semaphore free = new Semaphore(LISTENERS);
    private final Set<Thread> listeners = ConcurrentHashMap.newKeySet();

    EventStream(EventLog events, Notifications notifications) {
        this.events = events;
        this.notifications = notifications;
    }

    /**
     * Streams what comes after an event until the last event of the job.
     *
     * @param lastId id of the last event the client has, 0 for none
     * @param ended whether that was the last event of the job
     */
    public SseEmitter listen(UUID jobId, long lastId, boolean ended) {
        if (!free.tryAcquire()) {
            throw new ApiProblem(ProblemType.BUSY, LISTENERS + " listeners are being served");
        }
        SseEmitter emitter = new SseEmitter(0L);
        if (ended) {
            free.release();
            emitter.complete();
            return emitter;
        }
        Thread thread = Thread.ofVirtual().name("events-" + jobId).unstarted(() -> serve(emitter, jobId, lastId));
        emitter.onCompletion(thread::interrupt);
        emitter.onError(failure -> thread.interrupt());
        listeners.add(thread);
        thread.start();
        return emitter;
    }

    private void serve(SseEmitter emitter, UUID jobId, long from) {
        long last = from;
        Subscription news = subscribe(jobId);
        try {
            emitter.send(SseEmitter.event().comment("events of job " + jobId));
            while (!Thread.currentThread().isInterrupted()) {
                List<StoredEvent> batch = look(jobId, last, news);
                for (StoredEvent event : batch) {
                    emitter.send(SseEmitter.event()
                            .id(Long.toString(event.id()))
                            .name(event.type())
                            .data(event.json()));
                    last = event.id();
                    if (event.terminal()) {
                        emitter.complete();
                        return;
                    }
                }
                if (batch.size() < BATCH) {
                    news.await(SIGN_OF_LIFE);
                    if (!news.isNotified()) {
                        emitter.send(SseEmitter.event().comment("still here"));
                    }
                    Thread.sleep(PAUSE);
                    notifications.cancel(news);
                    news = subscribe(jobId);
                }
            }
            emitter.complete();
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a listener of job {} went away", jobId);
        } catch (InterruptedException e) {
            emitter.complete();
        } finally {
            notifications.cancel(news);
            listeners.remove(Thread.currentThread());
            free.release();
        }
    }

    private Subscription subscribe(UUID jobId) {
        return notifications.subscribe(Channel.EVENT, jobId.toString()::equals);
    }

    /** If Postgres does not answer, the next look comes after the pause, behind the last event that was sent. */
    private List<StoredEvent> look(UUID jobId, long last, Subscription news) {
        try {
            return events.after(jobId, last, BATCH);
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("the events cannot be read: {}", e.getMessage());
            notifications.cancel(news);
            return List.of();
        }
    }

    @EventListener
    void closing(ContextClosedEvent event) {
        listeners.forEach(Thread::interrupt);
    }
}
