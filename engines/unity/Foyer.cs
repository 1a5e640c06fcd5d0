// Unity: copy into Assets/. In a WebGL build the client of Foyer as tasks: var session = await Foyer.Call<Session>("resume");
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using UnityEngine;

/// <summary>Error of a call. Code is stable: docs/errors.md explains each.</summary>
public sealed class FoyerException : Exception
{
    public readonly string Code;
    /// <summary>True only if the same call may succeed later without a change.</summary>
    public readonly bool Retryable;

    public FoyerException(string code, string message, bool retryable) : base(message)
    {
        Code = code;
        Retryable = retryable;
    }
}

public sealed class Foyer : MonoBehaviour
{
    /// <summary>Name of the event, and the whole message as JSON: { "event", "data" }.</summary>
    public static event Action<string, string> Event;

    [Serializable] private class Error { public string code; public string message; public bool retryable; }
    [Serializable] private class Message { public int id; public bool ok; public Error error; public string @event; }
    [Serializable] private class Result<T> { public T value; }

    private static readonly Dictionary<int, TaskCompletionSource<string>> pending = new Dictionary<int, TaskCompletionSource<string>>();
    private static Foyer instance;

#if UNITY_WEBGL && !UNITY_EDITOR
    [DllImport("__Internal")] private static extern int FoyerCall(string method, string args);
    [DllImport("__Internal")] private static extern int FoyerCallOnGesture(string method, string args);
    [DllImport("__Internal")] private static extern void FoyerCancel(int id);
    [DllImport("__Internal")] private static extern string FoyerNext();
#else
    private static int FoyerCall(string method, string args) { return 0; }
    private static int FoyerCallOnGesture(string method, string args) { return 0; }
    private static void FoyerCancel(int id) { }
    private static string FoyerNext() { return ""; }
#endif

    /// <summary>Calls a method. args: a JSON array, or an empty string. T: a [Serializable] class with the fields that the game reads.</summary>
    public static async Task<T> Call<T>(string method, string args = "")
    {
        return JsonUtility.FromJson<Result<T>>(await Answer(FoyerCall(method, args))).value;
    }

    /// <summary>Call it from a button: Unity processes a click in the next frame, where a browser may block a popup.</summary>
    public static async Task<T> CallOnGesture<T>(string method, string args = "")
    {
        return JsonUtility.FromJson<Result<T>>(await Answer(FoyerCallOnGesture(method, args))).value;
    }

    /// <summary>Starts a call whose effect lasts, such as lobby.watch. Cancel(id) stops it; a failure is logged.</summary>
    public static int Start(string method, string args = "")
    {
        var id = FoyerCall(method, args);
        Answer(id).ContinueWith(done => Debug.LogException(done.Exception), TaskContinuationOptions.OnlyOnFaulted);
        return id;
    }

    /// <summary>Aborts a call, or stops what it has started.</summary>
    public static void Cancel(int id)
    {
        FoyerCancel(id);
    }

    private static Task<string> Answer(int id)
    {
        if (id == 0) throw new FoyerException("unsupported", "Foyer runs in a WebGL build whose page loads index.umd.js and foyer.engine.js.", false);
        if (instance == null)
        {
            instance = new GameObject("Foyer").AddComponent<Foyer>();
            DontDestroyOnLoad(instance.gameObject);
        }
        var source = new TaskCompletionSource<string>();
        pending.Add(id, source);
        return source.Task;
    }

    private void Update()
    {
        for (var json = FoyerNext(); json != ""; json = FoyerNext()) Deliver(json, JsonUtility.FromJson<Message>(json));
    }

    private static void Deliver(string json, Message message)
    {
        TaskCompletionSource<string> source;
        if (!string.IsNullOrEmpty(message.@event))
        {
            if (Event != null) Event(message.@event, json);
        }
        else if (pending.TryGetValue(message.id, out source))
        {
            pending.Remove(message.id);
            if (message.ok) source.SetResult(json);
            else source.SetException(new FoyerException(message.error.code, message.error.message, message.error.retryable));
        }
    }
}
