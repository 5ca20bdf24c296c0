package dev.tidemark.launcher.demo;

/** Where the demonstration shows what it does. Used by one thread. */
public interface DemoView {

    /** Shows the beginning of a step. */
    void step(String title);

    /** Shows a line of the present step. */
    void line(String text);

    /**
     * Shows how far some work is, until it is closed.
     *
     * @param task what is done
     * @param unit what is counted
     * @param goal how much there is to do
     */
    Work work(String task, String unit, long goal);

    /** Work whose progress is seen. Thread-safe. */
    interface Work extends AutoCloseable {

        /** Shows how much is done. */
        void advanced(long done);

        /** Shows a remark beside it, until the next one. */
        void remark(String text);

        @Override
        void close();
    }
}
