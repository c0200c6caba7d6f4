package dev.tilewright.worker.gpu.cuda;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** An event of the stream, with a time stamp of about half a microsecond. */
final class StreamEvent implements GpuEvent {

    private final DriverLibrary driver;
    private final CUstream stream;
    private final CUevent event = new CUevent();

    private StreamEvent(DriverLibrary driver, CUstream stream) {
        this.driver = driver;
        this.stream = stream;
    }

    static StreamEvent create(DriverLibrary driver, CUstream stream) {
        StreamEvent created = new StreamEvent(driver, stream);
        driver.check("cuEventCreate", JCudaDriver.cuEventCreate(created.event, CUevent_flags.CU_EVENT_DEFAULT));
        return created;
    }

    @Override
    public void record() {
        driver.check("cuEventRecord", JCudaDriver.cuEventRecord(event, stream));
    }

    @Override
    public boolean isReached() {
        int result = JCudaDriver.cuEventQuery(event);
        if (result == CUresult.CUDA_ERROR_NOT_READY) {
            return false;
        }
        driver.check("cuEventQuery", result);
        return true;
    }

    @Override
    public void await() {
        driver.check("cuEventSynchronize", JCudaDriver.cuEventSynchronize(event));
    }

    @Override
    public double nanosSince(GpuEvent earlier) {
        if (!(earlier instanceof StreamEvent start)) {
            throw new IllegalArgumentException("an event of another GPU: " + earlier);
        }
        float[] millis = new float[1];
        driver.check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(millis, start.event, event));
        return millis[0] * 1e6;
    }

    @Override
    public void close() {
        driver.check("cuEventDestroy", JCudaDriver.cuEventDestroy(event));
    }
}
